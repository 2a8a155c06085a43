import { SaxesParser } from 'saxes';
import { invalid } from '../../platform/errors.ts';
import { MOST_COLUMNS, type SheetRow } from './sheet.ts';
import { type Archive, damaged, openArchive } from './zip.ts';

const MB = 1024 * 1024;
const LARGEST_PART = 16 * MB;
const LARGEST_STRINGS = 128 * MB;
const LARGEST_SHEET = 256 * MB;
const MOST_STRINGS = 2_000_000;

/** A workbook whose cells have not been read yet. */
export interface Workbook {
  sheets: string[];
  rows(sheet: string): AsyncGenerator<SheetRow>;
  close(): void;
}

/** Opens an XLSX workbook. Throws 400 for other archives, and for parts that unpack to too much. */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const archive = await openArchive(bytes);
  if (!archive.has('xl/workbook.xml')) {
    const kind = archive.has('content.xml') ? 'an OpenDocument file' : 'not an .xlsx workbook';
    throw invalid(`The file is ${kind}. Save it as .xlsx or as CSV.`);
  }
  const { sheets, startsIn1904 } = await sheetsOf(archive);
  return {
    sheets: sheets.map(({ name }) => name),
    close: () => archive.close(),
    async *rows(name) {
      const sheet = sheets.find((one) => one.name === name);
      if (sheet === undefined) throw invalid(`The workbook has no sheet named "${name}".`);
      const strings = archive.has('xl/sharedStrings.xml') ? await sharedStrings(archive) : [];
      const dates = archive.has('xl/styles.xml') ? await dateStyles(archive) : new Set<number>();
      yield* rowsOf(archive, sheet.part, { strings, dates, startsIn1904 });
    },
  };
}

type Attributes = Record<string, string>;

interface Handlers {
  open?: (name: string, attributes: Attributes) => void;
  close?: (name: string) => void;
  text?: (text: string) => void;
}

/** Parses a part. Yields after each piece, so that a caller can take the results so far. */
async function* parsed(
  archive: Archive,
  part: string,
  most: number,
  { open, close, text }: Handlers,
): AsyncGenerator<void> {
  const parser = new SaxesParser();
  // Files may use a prefix for the namespace of spreadsheets.
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('opentag', ({ name, attributes }) => open?.(local(name), attributes as Attributes));
  parser.on('closetag', ({ name }) => close?.(local(name)));
  parser.on('text', (value) => text?.(value));
  parser.on('error', () => {
    throw damaged();
  });
  for await (const piece of archive.read(part, most)) {
    parser.write(piece);
    yield;
  }
  parser.close();
}

async function parseAll(archive: Archive, part: string, most: number, handlers: Handlers): Promise<void> {
  const pieces = parsed(archive, part, most, handlers);
  while (!(await pieces.next()).done);
}

async function sheetsOf(archive: Archive) {
  const targets = new Map<string, string>();
  await parseAll(archive, 'xl/_rels/workbook.xml.rels', LARGEST_PART, {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, Target);
    },
  });
  const sheets: { name: string; part: string }[] = [];
  let startsIn1904 = false;
  await parseAll(archive, 'xl/workbook.xml', LARGEST_PART, {
    open: (name, attributes) => {
      if (name === 'workbookPr') startsIn1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const target = targets.get(id) ?? '';
      const part = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
      if (archive.has(part)) sheets.push({ name: attributes.name ?? '', part });
    },
  });
  if (sheets.length === 0) throw invalid('The workbook has no sheets.');
  return { sheets, startsIn1904 };
}

async function sharedStrings(archive: Archive): Promise<string[]> {
  const strings: string[] = [];
  let current = '';
  let inText = false;
  let inPhonetic = false;
  await parseAll(archive, 'xl/sharedStrings.xml', LARGEST_STRINGS, {
    open: (name) => {
      if (name === 'si') current = '';
      if (name === 'rPh') inPhonetic = true;
      inText = name === 't' && !inPhonetic;
    },
    text: (text) => {
      if (inText) current += text;
    },
    close: (name) => {
      inText = false;
      if (name === 'rPh') inPhonetic = false;
      if (name === 'si' && strings.push(current) > MOST_STRINGS)
        throw invalid(`The workbook has more than ${MOST_STRINGS} different texts. Split it.`);
    },
  });
  return strings;
}

/** Formats of dates and times that every workbook has, by number. */
const BUILT_IN_DATES = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 46, 47]);

/** Returns the numbers of the cell styles that show a number as a date. */
async function dateStyles(archive: Archive): Promise<Set<number>> {
  const formats = new Map<number, string>();
  const styles = new Set<number>();
  let inStyles = false;
  let number = 0;
  await parseAll(archive, 'xl/styles.xml', LARGEST_PART, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') formats.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') inStyles = true;
      if (name !== 'xf' || !inStyles) return;
      const format = formats.get(Number(numFmtId));
      if (format === undefined ? BUILT_IN_DATES.has(Number(numFmtId)) : isDateFormat(format))
        styles.add(number);
      number += 1;
    },
    close: (name) => {
      if (name === 'cellXfs') inStyles = false;
    },
  });
  return styles;
}

/** Whether a format has a part of a date, outside quoted text and colors. */
const isDateFormat = (format: string) =>
  /[ymdhs]/i.test(format.replaceAll(/"[^"]*"|\[(?!h|m|s)[^\]]*\]|\\./gi, '').replaceAll(/General/gi, ''));

interface Values {
  strings: string[];
  dates: Set<number>;
  startsIn1904: boolean;
}

interface Cell {
  column: number;
  address: string;
  type: string;
  style: number;
  hasFormula: boolean;
  value: string | null;
}

async function* rowsOf(archive: Archive, part: string, values: Values): AsyncGenerator<SheetRow> {
  let rows: SheetRow[] = [];
  let row: SheetRow | undefined;
  let cell: Cell | undefined;
  let number = 0;
  let inValue = false;
  const pieces = parsed(archive, part, LARGEST_SHEET, {
    open: (name, { r, t = 'n', s = '0' }) => {
      if (name === 'row') {
        number = r === undefined ? number + 1 : Number(r);
        row = { number, cells: [], faults: [] };
      } else if (name === 'c' && row !== undefined) {
        const column = r === undefined ? row.cells.length : columnOf(r);
        const address = r ?? `${lettersOf(column)}${number}`;
        cell = { column, address, type: t, style: Number(s), hasFormula: false, value: null };
      } else if (cell !== undefined) {
        if (name === 'f') cell.hasFormula = true;
        inValue = name === 'v' || name === 't';
      }
    },
    text: (text) => {
      if (inValue && cell !== undefined) cell.value = (cell.value ?? '') + text;
    },
    close: (name) => {
      inValue = false;
      if (name === 'c' && cell !== undefined && row !== undefined) {
        addCell(row, cell, values);
        cell = undefined;
      } else if (name === 'row' && row !== undefined) {
        if (row.cells.some((text) => text !== '') || row.faults.length > 0) rows.push(row);
        row = undefined;
      }
    },
  });
  for (;;) {
    const { done } = await pieces.next();
    yield* rows;
    rows = [];
    if (done) return;
  }
}

function addCell(row: SheetRow, cell: Cell, values: Values) {
  if (cell.column < 0 || cell.column > MOST_COLUMNS) return;
  while (row.cells.length < cell.column) row.cells.push('');
  const fault = faultIn(cell);
  if (fault !== undefined) row.faults.push({ column: cell.column, message: fault });
  row.cells[cell.column] = fault === undefined ? textOf(cell, values).trim() : '';
}

function faultIn({ type, hasFormula, value, address }: Cell): string | undefined {
  if (type === 'e') return `Cell ${address} shows the error ${value ?? ''}. Correct it.`;
  if (hasFormula && value === null && type !== 'str')
    return `Cell ${address} has a formula that was never calculated. Open the file in a spreadsheet program and save it.`;
  return undefined;
}

function textOf({ type, style, value }: Cell, { strings, dates, startsIn1904 }: Values): string {
  if (value === null) return '';
  if (type === 's') return strings[Number(value)] ?? '';
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type !== 'n') return value;
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  // "1001.0" and "1.001E3" are the id 1001.
  return dates.has(style) ? dateOf(number, startsIn1904) : String(number);
}

const DAY_MS = 86_400_000;

/** Returns a day such as 2026-11-23, with the time if it has one. */
function dateOf(days: number, startsIn1904: boolean): string {
  const epoch = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30);
  const date = new Date(epoch + Math.round((days * DAY_MS) / 1000) * 1000);
  if (Number.isNaN(date.getTime())) return String(days);
  const iso = date.toISOString();
  return Number.isInteger(days) ? iso.slice(0, 10) : `${iso.slice(0, 19)}Z`;
}

function columnOf(address: string): number {
  let column = 0;
  for (const letter of address) {
    const value = letter.charCodeAt(0) - 64;
    if (value < 1 || value > 26) break;
    column = column * 26 + value;
  }
  return column - 1;
}

/** Returns the letters that spreadsheet programs show above a column, which counts from 0. */
export function lettersOf(column: number): string {
  const first = Math.floor(column / 26);
  return (first > 0 ? lettersOf(first - 1) : '') + String.fromCharCode(65 + (column % 26));
}
