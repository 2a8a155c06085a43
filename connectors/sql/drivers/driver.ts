export type Row = Record<string, unknown>;

/** One connection to a database. */
export interface Session {
  /** Reads rows in batches, so that a result of any size needs little memory. Read one result at a time. */
  read(text: string, values: unknown[]): AsyncIterable<Row[]>;
  /** Runs a statement and returns the number of rows that it changed. */
  run(text: string, values: unknown[]): Promise<number>;
  begin(): Promise<void>;
  /** Begins a transaction in which all queries see the same state, if the engine has that. */
  beginSnapshot(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  close(): Promise<void>;
}

export interface Driver {
  connect(): Promise<Session>;
  /** Returns the parameter at a position, counted from 1. */
  placeholder(position: number): string;
}

export const BATCH = 1000;

/** Returns a row with texts instead of bytes; bytes that are no text become hexadecimal. */
export function readable(row: Row): Row {
  for (const name in row) {
    const value = row[name];
    if (!(value instanceof Uint8Array)) continue;
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const text = bytes.toString('utf8');
    row[name] = text.includes('\uFFFD') ? bytes.toString('hex') : text;
  }
  return row;
}

/** Collects the rows of a stream in batches. */
export async function* batched(stream: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of stream) {
    batch.push(readable(row));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
