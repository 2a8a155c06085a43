import type { Sentence } from '#kit/sentences.ts';
import { cellSentences } from '../row-sentences.ts';
import { damaged } from './zip.ts';

/** How a cell shows its number: as a date, or with leading zeros up to this many digits. */
export type Format = 'date' | number;

/** The shared strings and formats that turn the values of cells into texts. */
export interface Values {
  strings: { at(number: number): string | undefined };
  formats: Map<number, Format>;
  startsIn1904: boolean;
  /** Whether the program that wrote the file left the formulas to the one that opens it. */
  isUncalculated: boolean;
}

export interface Cell {
  column: number;
  address: string;
  type: string;
  style: number;
  hasFormula: boolean;
  value: string | null;
}

/** Programs show an empty or wrong cell with the format of a date as a day of 1900 or 1904. */
const FIRST_DAY = '1950-01-01';

/** Returns why a person has to correct a cell, if so. */
export function faultIn(cell: Cell, values: Values): Sentence | undefined {
  const { type, style, hasFormula, value, address } = cell;
  const { formats, isUncalculated } = values;
  if (type === 'e') return cellSentences.cell_with_error({ cell: address, error: value ?? '' });
  if (hasFormula && (isUncalculated || (value === null && type !== 'str')))
    return cellSentences.cell_not_calculated({ cell: address });
  if (type === 'n' && Math.abs(Number(value)) >= FIRST_ROUNDED && formats.get(style) !== 'date')
    return cellSentences.cell_rounded({ cell: address });
  const isDate = type === 'd' || (type === 'n' && value !== null && formats.get(style) === 'date');
  if (!isDate) return undefined;
  const day = textOf(cell, values);
  if (/^-|^\d{4}-/.test(day) && day < FIRST_DAY)
    return Number(value) === 0
      ? cellSentences.cell_date_zero({ cell: address })
      : cellSentences.cell_too_early({ cell: address, day });
  return undefined;
}

/** Spreadsheet programs keep 15 digits of a number. */
const DIGITS = 15;
const FIRST_ROUNDED = 10 ** DIGITS;

/** Returns the text of a cell as a spreadsheet program shows it, except for dates and rounded numbers. */
export function textOf({ type, style, value }: Cell, { strings, formats, startsIn1904 }: Values): string {
  if (value === null) return '';
  if (type === 's') return unescaped(strings.at(Number(value)));
  if (type === 'b') return value === '1' ? 'true' : 'false';
  if (type === 'd') return value.replace(/T00:00:00(?:\.0+)?Z?$/, '');
  if (type !== 'n') return unescaped(value);
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const format = formats.get(style);
  if (format === 'date') return dateOf(number, startsIn1904);
  // "1001.0" and "1.001E3" are the id 1001.
  const text = String(Number(number.toPrecision(DIGITS)));
  return format === undefined || !/^\d+$/.test(text) ? text : text.padStart(format, '0');
}

/** Workbooks write characters that XML does not allow as in "_x000D_". An unknown text is not an empty one. */
function unescaped(text: string | undefined): string {
  if (text === undefined) throw damaged();
  return text.replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
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
