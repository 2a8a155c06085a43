import { createHash } from 'node:crypto';
import type { Document, Path } from '@gatehouse/connector/declarative';
import type { Driver, Row, Session } from './drivers/driver.ts';
import { meaningOf, QueryError } from './errors.ts';
import type { Inputs } from './expressions.ts';
import type { Query } from './plan.ts';

const PAGE = 1000;

export type Reader = { document: Document<unknown>; driver: Driver; session: Session };

/** Reads the rows of a query in batches, page by page if the query has pages. */
export async function* readQuery(reader: Reader, query: Query, inputs: Inputs = {}): AsyncGenerator<Row[]> {
  const { document, driver } = reader;
  const { statement, pagination } = query;
  const fail = (message: string) => document.failure(statement.path, message);
  const size = pagination?.page_size ?? PAGE;
  const pages = new Set<string>();
  let offset = 0;
  let cursor: unknown = pagination?.start ?? '';
  for (;;) {
    const bound = statement.bind(
      (token) => {
        if (token === 'limit') return size;
        if (token === 'offset') return offset;
        if (token === 'cursor') return cursor;
        return tokenValue(token, query.vars, inputs);
      },
      (position) => driver.placeholder(position),
    );
    const digest = createHash('sha256');
    let count = 0;
    let last: Row | undefined;
    for await (const rows of read(reader, statement.path, bound.text, bound.values)) {
      count += rows.length;
      last = rows.at(-1);
      if (pagination) for (const row of rows) digest.update(JSON.stringify(Object.values(row), plain));
      yield rows;
    }
    // A page may be shorter than requested without being the last one. Only an empty page ends the listing.
    if (!pagination || count === 0 || !statement.tokens.has(pagination.strategy)) return;
    const page = digest.digest('base64');
    if (pages.has(page)) throw fail('the query returned the same page twice; it would never end');
    pages.add(page);
    offset += count;
    if (pagination.strategy === 'offset') continue;
    const key = pagination.primary_key ?? '';
    const next = last?.[key];
    if (last && !Object.hasOwn(last, key))
      throw fail(
        `the query returns no column "${key}", which is its primary_key; its columns are ${Object.keys(last).join(', ')}`,
      );
    if (next === null || next === undefined)
      throw fail(`the primary_key "${key}" is empty in a row, so the next page is unknown`);
    if (String(next) === String(cursor))
      throw fail(`the cursor "${key}" does not advance; the query would never end`);
    cursor = next;
  }
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

/** Reads a statement. Adds its place in the definition to errors of the database. */
export async function* read(
  { document, session }: Reader,
  path: Path,
  text: string,
  values: unknown[],
): AsyncGenerator<Row[]> {
  const rows = session.read(text, values)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await guarded(document, path, () => rows.next());
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rows.return?.();
  }
}

export async function guarded<T>(
  document: Document<unknown>,
  path: Path,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new QueryError(
      document.failure(path, meaningOf(error)?.message ?? String((error as Error)?.message ?? error)).message,
      error,
    );
  }
}

/** Returns the value of a token: of a variable of the definition, or a part of the inputs, such as `resource.id`. */
export function tokenValue(token: string, vars: Query['vars'], inputs: Inputs): unknown {
  const variable = vars.get(token);
  if (variable) return variable.value(inputs);
  let value: unknown = inputs;
  for (const part of token.split('.')) {
    const entries = Object.entries((value ?? {}) as object);
    value = entries.find(([name]) => name.toLowerCase() === part)?.[1];
  }
  if (value !== undefined || token.includes('.')) return value;
  return Object.entries(inputs.input ?? {}).find(([name]) => name.toLowerCase() === token)?.[1];
}
