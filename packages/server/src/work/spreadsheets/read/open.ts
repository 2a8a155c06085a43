import { invalid } from '#kit/errors.ts';
import { nfc } from '#kit/nfc.ts';
import { withoutMarks } from '../../../../../protocol/src/csv-marks.ts';
import { sentenceIn } from '../problem.ts';
import { uploadRefusals } from '../sentences.ts';
import { csvRows } from './csv.ts';
import {
  type Bytes,
  type Layout,
  MOST_COLUMNS,
  MOST_ROWS,
  type ReadOptions,
  type SheetRow,
} from './sheet.ts';
import { decode, detectEncoding, detectSeparator } from './text.ts';
import { lettersOf, openWorkbook } from './xlsx.ts';
import { protectedFile } from './zip.ts';

/** A file whose rows can be read. */
export interface Spreadsheet {
  layout: Layout;
  headers: string[];
  /** The columns that the sheet hides, counted from 0. */
  hiddenColumns: ReadonlySet<number>;
  /** The rows under the header. */
  rows: AsyncGenerator<SheetRow>;
  /** The number of hidden rows among those that have been read, left out or not. */
  hiddenRows(): number;
}

/** Opens a CSV file or an XLSX workbook, which its first bytes tell apart. `bytes` starts over with each call. */
export async function openSpreadsheet(bytes: () => Bytes, options: ReadOptions): Promise<Spreadsheet> {
  const start = await firstOf(bytes());
  if (start.length === 0) throw uploadRefusals.file_without_header();
  if (startsWith(start, OLE)) throw protectedFile();
  const hiddenColumns = new Set<number>();
  const { layout, rows } = startsWith(start, ZIP)
    ? await openXlsx(bytes, options, hiddenColumns)
    : await openCsv(bytes, start, options);
  const first = await rows.next();
  if (first.done) throw uploadRefusals.header_empty();
  let hidden = 0;
  const shown = async function* () {
    for await (const row of rows) {
      if (row.isHidden) hidden += 1;
      if (!row.isHidden || options.leavesOutHidden !== true) yield row;
    }
  };
  const headers = headersOf(unmarked(first.value));
  return { layout, headers, hiddenColumns, rows: bounded(shown()), hiddenRows: () => hidden };
}

const ZIP = [0x50, 0x4b, 0x03, 0x04];
const OLE = [0xd0, 0xcf, 0x11, 0xe0];
const startsWith = (bytes: Uint8Array, mark: number[]) => mark.every((byte, index) => bytes[index] === byte);

async function firstOf(bytes: Bytes): Promise<Uint8Array> {
  for await (const chunk of bytes) if (chunk.length > 0) return chunk;
  return new Uint8Array();
}

async function openXlsx(bytes: () => Bytes, { sheet: wanted }: ReadOptions, hiddenColumns: Set<number>) {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes()) chunks.push(chunk);
  const workbook = await openWorkbook(Buffer.concat(chunks));
  const sheet = wanted ?? workbook.first;
  if (sheet === undefined) throw uploadRefusals.sheets_hidden();
  const layout: Layout = {
    format: 'xlsx',
    encoding: null,
    separator: null,
    sheets: workbook.sheets,
    sheet,
    hidden_sheets: workbook.hiddenSheets,
  };
  return { layout, rows: workbook.rows(sheet, hiddenColumns) };
}

async function openCsv(bytes: () => Bytes, start: Uint8Array, options: ReadOptions) {
  const encoding = options.encoding ?? (await detectEncoding(bytes()));
  let separator = options.separator;
  if (separator === undefined) {
    for await (const text of decode(once(start), encoding)) {
      separator = detectSeparator(text.slice(0, LONGEST_HEADER));
      break;
    }
  }
  const layout: Layout = { format: 'csv', encoding, separator: separator ?? ',', sheets: [], sheet: null };
  return { layout, rows: csvRows(bytes(), encoding, separator ?? ',') };
}

const LONGEST_HEADER = 64 * 1024;

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
}

/** Returns the names of the columns, in NFC (D89). A column without a name gets the letters that spreadsheet programs show. */
function headersOf({ cells, faults }: SheetRow): string[] {
  if (faults[0] !== undefined) throw invalid(sentenceIn(faults[0]));
  if (cells.length > MOST_COLUMNS) throw uploadRefusals.too_many_columns({ most: MOST_COLUMNS });
  if (cells.some((cell) => cell.includes('\0'))) throw uploadRefusals.header_with_nul();
  const names = cells.map((cell, index) => (cell === '' ? `Column ${lettersOf(index)}` : nfc(cell)));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw uploadRefusals.header_twice({ column: twice });
  return names;
}

async function* bounded(rows: AsyncGenerator<SheetRow>): AsyncGenerator<SheetRow> {
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > MOST_ROWS) throw uploadRefusals.too_many_rows({ most: MOST_ROWS });
    yield unmarked(row);
  }
}

/** Removes the marks that exports put before formulas. A workbook has them as well, if it was made from an export. */
const unmarked = (row: SheetRow): SheetRow => ({ ...row, cells: row.cells.map(withoutMarks) });
