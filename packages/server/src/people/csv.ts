import { type CsvError, parse } from 'csv-parse/sync';
import { invalid } from '../platform/errors.ts';

/** A row of a file, by the names in its first line. */
export interface Row {
  /** Where it begins, from 1; the names are on the first. */
  line: number;
  cells: Map<string, string>;
  /** Why its cells cannot be told apart. */
  problem?: string;
}

interface Read {
  record: string[];
  info: { lines: number };
}

/** RFC 4180 in UTF-8, with or without a byte order mark. Throws 400 where it is not that. */
export function readCsv(text: string): { columns: string[]; rows: Row[] } {
  const [head, ...records] = readRecords(text);
  if (head === undefined) throw invalid('The file is empty. Its first line names the columns.');
  const columns = head.record;
  const double = columns.find((name, index) => columns.indexOf(name) !== index);
  if (double !== undefined) throw invalid(`The first line names the column "${double}" twice.`);
  if (columns.includes('')) throw invalid('The first line has a column without a name.');
  return { columns, rows: records.map((read) => rowOf(columns, read)) };
}

function readRecords(text: string): Read[] {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true };
    return parse(text, options) as unknown as Read[];
  } catch (error) {
    const { lines, message } = error as CsvError & { lines?: number };
    throw invalid(`The file is not CSV from line ${lines ?? 1} on: ${message}.`);
  }
}

function rowOf(columns: string[], { record, info }: Read): Row {
  const line = info.lines - (record.join('').split('\n').length - 1);
  const cells = new Map(columns.map((name, index) => [name, record[index] ?? '']));
  if (record.length !== columns.length) {
    return { line, cells, problem: `it has ${record.length} cells, the first line ${columns.length}` };
  }
  return record.some((cell) => cell.includes('\0'))
    ? { line, cells, problem: 'it holds a NUL character' }
    : { line, cells };
}
