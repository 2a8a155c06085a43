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
  /** Quotes the name of a column. Undefined for engines that do not accept every query in a FROM clause. */
  quote?(name: string): string;
}

export const BATCH = 1000;

/** Returns a row with hexadecimal text instead of bytes. All values of a column look alike, so that statements can convert them back. */
export function readable(row: Row): Row {
  let texts: Row | undefined;
  for (const name in row) {
    const value = row[name];
    if (!(value instanceof Uint8Array)) continue;
    texts ??= { ...row };
    texts[name] = Buffer.from(value).toString('hex');
  }
  return texts ?? row;
}

/** Collects the rows of a stream in batches. */
export async function* batched(stream: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let batch: Row[] = [];
  for await (const row of stream) {
    batch.push(row);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
