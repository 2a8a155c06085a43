import type { Said } from '../problem.ts';

/** Why a person has to correct a cell. */
export interface Fault extends Said {
  column: number;
}

/** A row of a spreadsheet. */
export interface SheetRow {
  /** The number that spreadsheet programs show: the first row of the file is 1. */
  number: number;
  cells: string[];
  /** Cells without a usable value, such as a formula that was never calculated. */
  faults: Fault[];
  /** Whether the sheet hides the row, by hand or by a filter. */
  isHidden?: true;
}

/** How to read a file. Every field that is left out is detected. */
export interface ReadOptions {
  encoding?: Encoding;
  separator?: Separator;
  sheet?: string;
  /** Leaves out rows that the sheet hides. */
  leavesOutHidden?: boolean;
}

/** UTF-8, UTF-16 and Windows-1252 are detected. The others look like Windows-1252, so that somebody has to choose them. */
export const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'iso-8859-2',
  'iso-8859-15',
  'macintosh',
  'shift_jis',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** How a file was read. */
export interface Layout {
  format: 'csv' | 'xlsx';
  encoding: Encoding | null;
  separator: Separator | null;
  sheets: string[];
  sheet: string | null;
  /** The sheets that the workbook hides. Missing in what an earlier version has read. */
  hidden_sheets?: string[];
}

export type Bytes = AsyncIterable<Uint8Array>;

export const MOST_ROWS = 500_000;
export const MOST_COLUMNS = 250;
export const LONGEST_ROW = 256 * 1024;
