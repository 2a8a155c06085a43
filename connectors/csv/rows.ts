import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';

export type Row = Record<string, unknown>;

/** Yields the rows of a file. Throws if a required column is missing or the file is truncated. */
export async function* rows(file: string, required: string[]): AsyncGenerator<Row> {
  const source =
    file.endsWith('.jsonl') || file.endsWith('.ndjson') ? jsonLines(file) : csvRows(file, required);
  for await (const row of source) {
    const missing = required.find((name) => !(name in row));
    if (missing) throw new Error(`${file}: a row has no value for "${missing}"`);
    yield row;
  }
}

async function* csvRows(file: string, required: string[]): AsyncGenerator<Row> {
  let header: string[] | undefined;
  const columns = (names: string[]) => {
    header = names.map((name) => name.trim().toLowerCase());
    return header;
  };
  const parser = parse({ bom: true, columns, skip_empty_lines: true, trim: true });
  const input = createReadStream(file);
  input.on('error', (error) => parser.destroy(error));
  yield* input.pipe(parser);
  const missing = required.find((name) => !header?.includes(name));
  if (missing) throw new Error(`${file} has no column "${missing}"`);
}

async function* jsonLines(file: string): AsyncGenerator<Row> {
  let number = 0;
  const input = createReadStream(file);
  // readline alone would treat an unreadable file as empty.
  let failure: Error | undefined;
  input.on('error', (error) => {
    failure = error;
  });
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (line.trim() === '') continue;
    yield parseLine(line, `${file}, line ${number}`);
  }
  if (failure) throw failure;
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

/** Returns a field as text: empty if absent, and lists from JSON lines joined. */
export function column(row: Row, name: string): string {
  const value = row[name];
  if (value === undefined || value === null) return '';
  return Array.isArray(value) ? value.join(';') : String(value);
}
