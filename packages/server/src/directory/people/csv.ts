import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CsvError, parse } from 'csv-parse';
import { DomainError } from '#kit/errors.ts';
import { nfc } from '#kit/nfc.ts';
import { pacer } from '#kit/pacer.ts';
import type { Sentence } from '#kit/sentences.ts';
import { withoutMarks } from '../../../../protocol/src/csv-marks.ts';
import { personRefusals, rowSentences } from './sentences.ts';

/** A row of a file, its cells keyed by the column names. */
export interface Row {
  /** The line of the file on which the row starts, counted from 1, as editors show it. */
  line: number;
  cells: Map<string, string>;
  /** Why the cells cannot be assigned to columns. */
  problem?: Sentence;
}

interface ParsedRecord {
  record: string[];
  /** `bytes`: where the record ends in the file. The parser's own count of lines is wrong after breaks within cells. */
  info: { bytes: number };
}

const MOST_ROWS = 100_000;
const MOST_COLUMNS = 250;
const LONGEST_ROW = 256 * 1024;
const SLICE_BYTES = 16 * 1024;
const CHECKED_BYTES = 256 * 1024;

/**
 * Parses CSV (RFC 4180) in UTF-8, with or without a byte order mark, and returns what `readerFor` the columns makes of
 * each row. Cells lose the marks that exports put before formulas. Throws 400 if the file is malformed or too large. Other requests run in between.
 */
export async function readCsv<T>(
  file: Buffer,
  readerFor: (columns: string[]) => (row: Row) => T,
): Promise<T[]> {
  if (!(await isUtf8InTurns(file))) throw personRefusals.people_file_not_utf8();
  let columns: string[] | undefined;
  let read: ((row: Row) => T) | undefined;
  const rows: T[] = [];
  const lineAfter = lineCounter(file);
  let line = lineAfter(0);
  await pipeline(Readable.from(slicesOf(file)), parser(), async (records: AsyncIterable<ParsedRecord>) => {
    const pace = pacer();
    for await (const parsed of records) {
      if (columns === undefined || read === undefined) {
        columns = columnsOf(parsed);
        read = readerFor(columns);
      } else rows.push(read(rowOf(columns, parsed, line)));
      line = lineAfter(parsed.info.bytes);
      if (rows.length > MOST_ROWS) throw personRefusals.people_file_too_many_rows({ most: MOST_ROWS });
      await pace();
    }
  }).catch((error: unknown) => {
    throw error instanceof DomainError ? error : malformed(error as CsvError & { bytes?: number }, lineAfter);
  });
  if (columns === undefined) throw personRefusals.people_file_empty();
  return rows;
}

const parser = () =>
  parse({
    bom: true,
    info: true,
    // Any of them at each line: the parser would otherwise expect that of the first line everywhere.
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: LONGEST_ROW,
  });

/** Yields the file in slices, in turns with other requests: a slice may end within a row. */
async function* slicesOf(file: Buffer): AsyncGenerator<Buffer> {
  const pace = pacer();
  for (let start = 0; start < file.length; start += SLICE_BYTES) {
    yield file.subarray(start, start + SLICE_BYTES);
    await pace();
  }
}

/** Checks megabytes without holding the event loop. */
async function isUtf8InTurns(file: Buffer): Promise<boolean> {
  const pace = pacer();
  for (let start = 0; start < file.length; ) {
    const end = characterBefore(file, start + CHECKED_BYTES);
    if (!isUtf8(file.subarray(start, end))) return false;
    start = end;
    await pace();
  }
  return true;
}

/** Returns the last place up to `place` at which a character begins, unless there is none nearby, which the check of the text finds. */
function characterBefore(file: Buffer, place: number): number {
  for (let at = place; at > place - 4; at--) if (((file[at] ?? 0) & 0b1100_0000) !== 0b1000_0000) return at;
  return place;
}

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32];

/**
 * Returns a function that finds the line of the first text after a place in the file. Lines end as editors see it, also within
 * quotes. Each place must be behind the one before.
 */
function lineCounter(file: Buffer): (place: number) => number {
  let line = 1;
  let at = 0;
  return (place) => {
    let start = place;
    while ([TAB, LF, CR, SPACE].includes(file[start] ?? 0)) start++;
    for (; at < start; at++) if (file[at] === LF || (file[at] === CR && file[at + 1] !== LF)) line++;
    return line;
  };
}

/** `bytes` is where the last cell ended that could be read. The parser's own words name another line. */
function malformed(
  { code, message, bytes = 0 }: CsvError & { bytes?: number },
  lineAfter: (place: number) => number,
): DomainError {
  const line = lineAfter(bytes);
  if (code === 'CSV_MAX_RECORD_SIZE')
    return personRefusals.people_file_row_too_long({ line, most: LONGEST_ROW });
  const reason = message.replaceAll(/ at line \d+/g, '').replace(/\.$/, '');
  return personRefusals.people_file_not_csv({ line, reason });
}

function columnsOf({ record: cells }: ParsedRecord): string[] {
  const record = cells.map((cell) => nfc(withoutMarks(cell)));
  if (record.length > MOST_COLUMNS)
    throw personRefusals.people_file_too_many_columns({ count: record.length, most: MOST_COLUMNS });
  const duplicate = record.find((name, index) => record.indexOf(name) !== index);
  if (duplicate !== undefined) throw personRefusals.people_file_column_twice({ duplicate });
  if (record.includes('')) throw personRefusals.people_file_column_unnamed();
  return record;
}

function rowOf(columns: string[], { record: marked }: ParsedRecord, line: number): Row {
  const record = marked.map(withoutMarks);
  const cells = new Map(columns.map((name, index) => [name, record[index] ?? '']));
  if (record.length !== columns.length) {
    return {
      line,
      cells,
      problem: rowSentences.row_cells({ count: record.length, columns: columns.length }),
    };
  }
  return record.some((cell) => cell.includes('\0'))
    ? { line, cells, problem: rowSentences.row_nul() }
    : { line, cells };
}
