import { posix } from 'node:path';
import { SaxesParser } from 'saxes';
import { said } from '../problem.ts';
import { uploadRefusals } from '../sentences.ts';
import { columnOf, Merges } from './merges.ts';
import { MOST_COLUMNS, type SheetRow } from './sheet.ts';
import { Texts } from './texts.ts';
import { type Cell, type Format, faultIn, textOf, type Values } from './xlsx-cells.ts';
import { type Archive, damaged, openArchive } from './zip.ts';

const MB = 1024 * 1024;
const LARGEST_PART = 16 * MB;
const LARGEST_STRINGS = 128 * MB;
const LARGEST_SHEET = 256 * MB;
/** Spreadsheet programs allow 32,767 characters in a cell. */
const LONGEST_TEXT = MB;
const MOST_STRINGS = 2_000_000;
/** The last row that spreadsheet programs have. */
const LAST_ROW = 1_048_576;

/** A workbook whose cells have not been read yet. */
export interface Workbook {
  sheets: string[];
  hiddenSheets: string[];
  /** The first sheet that is not hidden. Undefined if all are. */
  first: string | undefined;
  /** Adds the columns that the sheet hides to `hidden`, before the first row. */
  rows(sheet: string, hidden: Set<number>): AsyncGenerator<SheetRow>;
  close(): void;
}

/** Opens an XLSX workbook. Throws 400 for other archives, and for parts that unpack to too much. */
export async function openWorkbook(bytes: Buffer): Promise<Workbook> {
  const archive = await openArchive(bytes);
  if (!archive.has('xl/workbook.xml')) {
    throw archive.has('content.xml')
      ? uploadRefusals.file_is_opendocument()
      : uploadRefusals.file_not_workbook();
  }
  const { sheets, parts, ...settings } = await sheetsOf(archive);
  return {
    sheets: sheets.map(({ name }) => name),
    hiddenSheets: sheets.filter(({ isHidden }) => isHidden).map(({ name }) => name),
    first: sheets.find(({ isHidden }) => !isHidden)?.name,
    close: () => archive.close(),
    async *rows(name, hidden) {
      const sheet = sheets.find((one) => one.name === name);
      if (sheet === undefined) throw uploadRefusals.sheet_missing({ name });
      const strings = parts.strings === undefined ? new Texts() : await sharedStrings(archive, parts.strings);
      const formats = parts.styles === undefined ? new Map() : await formatsOf(archive, parts.styles);
      yield* rowsOf(archive, sheet.part, { strings, formats, ...settings }, hidden);
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
  let unparsed = 0;
  parser.on('opentag', ({ name, attributes }) => {
    unparsed = 0;
    open?.(local(name), attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    unparsed = 0;
    close?.(local(name));
  });
  parser.on('text', (value) => text?.(value));
  parser.on('cdata', (value) => text?.(value));
  parser.on('error', () => {
    throw damaged();
  });
  for await (const piece of archive.read(part, most)) {
    unparsed += piece.length;
    parser.write(piece);
    // The parser collects a text until its end, which may be hundreds of megabytes away.
    if (unparsed > LONGEST_TEXT) throw damaged();
    yield;
  }
  parser.close();
}

async function parseAll(archive: Archive, part: string, most: number, handlers: Handlers): Promise<void> {
  const pieces = parsed(archive, part, most, handlers);
  while (!(await pieces.next()).done);
}

/** Finds the parts of a workbook by their kinds, since programs name them differently. */
async function sheetsOf(archive: Archive) {
  const related = new Map<string, { kind: string; part: string }>();
  await parseAll(archive, 'xl/_rels/workbook.xml.rels', LARGEST_PART, {
    open: (name, { Id = '', Type = '', Target = '' }) => {
      const part = Target.startsWith('/') ? Target.slice(1) : posix.join('xl', Target);
      if (name === 'Relationship' && archive.has(part))
        related.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), part });
    },
  });
  const sheets: { name: string; part: string; isHidden: boolean }[] = [];
  let startsIn1904 = false;
  let isUncalculated = false;
  await parseAll(archive, 'xl/workbook.xml', LARGEST_PART, {
    open: (name, attributes) => {
      if (name === 'workbookPr') startsIn1904 = isTrue(attributes.date1904);
      if (name === 'calcPr') isUncalculated = isTrue(attributes.fullCalcOnLoad);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '';
      const found = related.get(id);
      const isHidden = (attributes.state ?? 'visible') !== 'visible';
      // The next sheet must not take the place of one whose data is missing.
      if (found === undefined && !isHidden) throw damaged();
      if (found?.kind === 'worksheet')
        sheets.push({ name: attributes.name ?? '', part: found.part, isHidden });
    },
  });
  if (sheets.length === 0) throw uploadRefusals.workbook_without_sheets();
  const partOf = (kind: string) => [...related.values()].find((one) => one.kind === kind)?.part;
  const parts = { strings: partOf('sharedStrings'), styles: partOf('styles') };
  return { sheets, parts, startsIn1904, isUncalculated };
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

/** Collects the text of elements, without the readings of East Asian texts. */
class Collector {
  readonly #names: readonly string[];
  #text: string | null = null;
  #collects = false;
  #inReading = false;

  constructor(...names: string[]) {
    this.#names = names;
  }

  open(name: string) {
    if (name === 'rPh') this.#inReading = true;
    this.#collects = this.#names.includes(name) && !this.#inReading;
  }

  text(more: string) {
    if (!this.#collects) return;
    const text = this.#text ?? '';
    if (text.length + more.length > LONGEST_TEXT) throw damaged();
    this.#text = text + more;
  }

  close(name: string) {
    if (name === 'rPh') this.#inReading = false;
    this.#collects = false;
  }

  /** Returns the text since the last call, or null. */
  take(): string | null {
    const text = this.#text;
    this.#text = null;
    return text;
  }
}

async function sharedStrings(archive: Archive, part: string): Promise<Texts> {
  const strings = new Texts();
  const collector = new Collector('t');
  await parseAll(archive, part, LARGEST_STRINGS, {
    open: (name) => collector.open(name),
    text: (text) => collector.text(text),
    close: (name) => {
      collector.close(name);
      if (name === 'si' && strings.push(collector.take() ?? '') > MOST_STRINGS)
        throw uploadRefusals.too_many_texts({ most: MOST_STRINGS });
    },
  });
  return strings;
}

/** Formats of dates and times that every workbook has, by number. From 27 on, only in East Asian ones. */
const isBuiltInDate = (id: number) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Returns the formats by the number of their cell style, as far as they matter. */
async function formatsOf(archive: Archive, part: string): Promise<Map<number, Format>> {
  const codes = new Map<number, string>();
  const formats = new Map<number, Format>();
  let inStyles = false;
  let number = 0;
  await parseAll(archive, part, LARGEST_PART, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      if (name === 'cellXfs') inStyles = true;
      if (name !== 'xf' || !inStyles) return;
      const code = codes.get(Number(numFmtId));
      if (code === undefined ? isBuiltInDate(Number(numFmtId)) : isDateFormat(code))
        formats.set(number, 'date');
      else if (code !== undefined && /^0{2,}$/.test(code)) formats.set(number, code.length);
      number += 1;
    },
    close: (name) => {
      if (name === 'cellXfs') inStyles = false;
    },
  });
  return formats;
}

/** Whether a format has a part of a date, outside quoted text, single characters, colors and languages. */
const isDateFormat = (format: string) =>
  /[ymdhs]/i.test(
    format.replaceAll(/"[^"]*"|\[(?!(?:h+|m+|s+)\])[^\]]*\]|[\\_*]./gi, '').replaceAll(/General/gi, ''),
  );

/** Reads the merged cells of a sheet, which follow its rows. Most sheets have none, and need no parsing for that. */
async function mergesOf(archive: Archive, part: string): Promise<Merges> {
  const merges = new Merges();
  if (!(await contains(archive, part, 'mergeCell'))) return merges;
  await parseAll(archive, part, LARGEST_SHEET, {
    open: (name, { ref = '' }) => {
      if (name === 'mergeCell') merges.add(ref);
    },
  });
  return merges;
}

async function contains(archive: Archive, part: string, word: string): Promise<boolean> {
  let end = '';
  for await (const piece of archive.read(part, LARGEST_SHEET)) {
    const text = end + piece;
    if (text.includes(word)) return true;
    end = text.slice(-word.length);
  }
  return false;
}

async function* rowsOf(
  archive: Archive,
  part: string,
  values: Values,
  hidden: Set<number>,
): AsyncGenerator<SheetRow> {
  const fill = (await mergesOf(archive, part)).filler();
  let rows: SheetRow[] = [];
  let row: SheetRow | undefined;
  let cell: Cell | undefined;
  let number = 0;
  const collector = new Collector('v', 't');
  const pieces = parsed(archive, part, LARGEST_SHEET, {
    open: (name, attributes) => {
      collector.open(name);
      if (name === 'row') {
        number = rowNumber(attributes, number);
        row = { number, cells: [], faults: [] };
        if (isTrue(attributes.hidden) || Number(attributes.ht) === 0) row.isHidden = true;
      } else if (name === 'col') addHidden(hidden, attributes);
      else if (name === 'c' && row !== undefined) cell = cellOf(attributes, row);
      else if (name === 'f' && cell !== undefined) cell.hasFormula = true;
    },
    text: (text) => collector.text(text),
    close: (name) => {
      collector.close(name);
      if (name === 'c' && cell !== undefined && row !== undefined) {
        addCell(row, { ...cell, value: collector.take() }, values);
        cell = undefined;
      } else if (name === 'row' && row !== undefined) {
        fill(row);
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

/** Adds the columns of a range that the sheet hides, or shows without a width. */
function addHidden(columns: Set<number>, { min, max, hidden, width }: Attributes) {
  if (!isTrue(hidden) && Number(width) !== 0) return;
  const last = Math.min(Number(max), MOST_COLUMNS);
  for (let column = Math.max(1, Number(min)); column <= last; column++) columns.add(column - 1);
}

/** Files may leave out the addresses of rows and cells: they then follow each other. */
function rowNumber({ r }: Attributes, before: number): number {
  const number = r === undefined ? before + 1 : Number(r);
  if (!(Number.isInteger(number) && number > 0 && number <= LAST_ROW)) throw damaged();
  return number;
}

function cellOf({ r, t = 'n', s = '0' }: Attributes, row: SheetRow): Cell {
  const column = r === undefined ? row.cells.length : columnOf(r);
  const address = r ?? `${lettersOf(column)}${row.number}`;
  return { column, address, type: t, style: Number(s), hasFormula: false, value: null };
}

function addCell(row: SheetRow, cell: Cell, values: Values) {
  // Cells that only have a format are often as many as the sheet is wide.
  if (cell.value === null && !cell.hasFormula) return;
  if (cell.column < 0 || cell.column > MOST_COLUMNS) return;
  while (row.cells.length < cell.column) row.cells.push('');
  const fault = faultIn(cell, values);
  if (fault !== undefined) row.faults.push({ column: cell.column, ...said(fault) });
  row.cells[cell.column] = fault === undefined ? textOf(cell, values).trim() : '';
}

/** Returns the letters that spreadsheet programs show above a column, which counts from 0. */
export function lettersOf(column: number): string {
  const first = Math.floor(column / 26);
  return (first > 0 ? lettersOf(first - 1) : '') + String.fromCharCode(65 + (column % 26));
}
