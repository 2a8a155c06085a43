import { Readable } from 'node:stream';
import { readText, reason } from '@gatehouse/connector';
import { parse } from 'csv-parse';
import { withoutMarks } from '../../packages/protocol/src/csv-marks.ts';

export type Row = Record<string, unknown>;

/** How files are written. */
export type Format = { encoding: string; columnSeparator: string };

/** Yields the rows of a file. Throws if a required column is missing or the file may not be whole. */
export async function* rows(file: string, required: string[], format: Format): AsyncGenerator<Row> {
  const isJson = file.endsWith('.jsonl') || file.endsWith('.ndjson');
  const source = isJson ? jsonLines(file, format) : csvRows(file, required, format);
  for await (const row of source) {
    const missing = required.find((name) => !(name in row));
    if (missing) throw new Error(`${file}: a row has no value for "${missing}"`);
    yield row;
  }
}

async function* csvRows(file: string, required: string[], format: Format): AsyncGenerator<Row> {
  let header: string[] | undefined;
  const separator = SEPARATORS[format.columnSeparator.toLowerCase()] ?? format.columnSeparator;
  const columns = (names: string[]) => {
    header = names.map((name) => withoutMarks(name).trim().toLowerCase().normalize('NFC'));
    requireHeader(file, header, required, separator);
    return header;
  };
  const parser = parse({
    columns,
    delimiter: separator,
    // The parser takes the first line end for all of them otherwise. Editors mix them.
    record_delimiter: ['\r\n', '\n', '\r'],
    // The names of the columns are not cast.
    cast: (cell, { header: isName }) => (isName ? cell : withoutMarks(cell)),
    skip_empty_lines: true,
    trim: true,
  });
  const input = Readable.from(readText(file, format.encoding));
  input.on('error', (error) => parser.destroy(error));
  try {
    yield* input.pipe(parser) as AsyncIterable<Row>;
  } catch (error) {
    // The parser does not know the name of the file.
    if (!(error as { code?: string }).code?.startsWith('CSV_')) throw error;
    throw new Error(`${file}: ${reason(error)}`);
  } finally {
    input.destroy();
  }
  if (header === undefined) requireHeader(file, [], required, separator);
}

const SEPARATORS: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t', '\\t': '\t', pipe: '|' };

function requireHeader(file: string, header: string[], required: string[], separator: string): void {
  const twice = header.find((name, at) => name !== '' && header.indexOf(name) !== at);
  if (twice !== undefined) throw new Error(`${file} has two columns "${twice}"`);
  const missing = required.find((name) => !header.includes(name));
  if (missing === undefined) return;
  const others = Object.entries(SEPARATORS).filter(([, each]) => each !== separator);
  const used = others.find(([, each]) => header.some((name) => name.includes(each)));
  const why = used
    ? `: its first line is separated by ${used[1] === '\t' ? 'tabs' : `"${used[1]}"`}, not by "${separator}"; set columnSeparator to ${used[0]}`
    : '';
  throw new Error(`${file} has no column "${missing}"${why}`);
}

async function* jsonLines(file: string, { encoding }: Format): AsyncGenerator<Row> {
  let number = 0;
  for await (const piece of readText(file, encoding)) {
    const lines = piece.split('\n');
    // Behind the last line break there is nothing.
    if (lines.at(-1) === '') lines.pop();
    for (const line of lines) {
      number++;
      if (line.trim() !== '') yield parseLine(line, `${file}, line ${number}`);
    }
  }
}

function parseLine(line: string, where: string): Row {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Row;
  } catch {
    // Reported below.
  }
  throw new Error(`${where} is not a JSON object`);
}

/** Returns a field as text: empty if absent. */
export const column = (row: Row, name: string): string => String(row[name] ?? '');
