import { type CsvError, parse } from 'csv-parse/sync';
import { invalid } from '../platform/errors.ts';

/** A row of a file, its cells keyed by the column names. */
export interface Row {
  /** The line on which the row starts, counted from 1. The column names are on line 1. */
  line: number;
  cells: Map<string, string>;
  /** Why the cells cannot be assigned to columns. */
  problem?: string;
}

interface ParsedRecord {
  record: string[];
  info: { lines: number };
}

/** Parses CSV (RFC 4180) in UTF-8, with or without a byte order mark. Throws 400 if it is malformed. */
export function readCsv(text: string): { columns: string[]; rows: Row[] } {
  const [head, ...records] = parseRecords(text);
  if (head === undefined) throw invalid('The file is empty. Its first line must name the columns.');
  const columns = head.record;
  const duplicate = columns.find((name, index) => columns.indexOf(name) !== index);
  if (duplicate !== undefined) throw invalid(`The first line names the column "${duplicate}" twice.`);
  if (columns.includes('')) throw invalid('The first line has a column without a name.');
  return { columns, rows: records.map((parsed) => rowOf(columns, parsed)) };
}

function parseRecords(text: string): ParsedRecord[] {
  try {
    const options = { bom: true, info: true, relax_column_count: true, skip_empty_lines: true, trim: true };
    return parse(text, options) as unknown as ParsedRecord[];
  } catch (error) {
    const { lines, message } = error as CsvError & { lines?: number };
    throw invalid(`The file is not valid CSV at line ${lines ?? 1}: ${message}.`);
  }
}

function rowOf(columns: string[], { record, info }: ParsedRecord): Row {
  const line = info.lines - (record.join('').split('\n').length - 1);
  const cells = new Map(columns.map((name, index) => [name, record[index] ?? '']));
  if (record.length !== columns.length) {
    return {
      line,
      cells,
      problem: `The row has ${record.length} cells, the first line has ${columns.length}.`,
    };
  }
  return record.some((cell) => cell.includes('\0'))
    ? { line, cells, problem: 'The row contains a NUL character.' }
    : { line, cells };
}
