import { createHash } from 'node:crypto';
import type { Document, Path } from '@gatehouse/connector/declarative';
import type { Driver, Row, Session } from './drivers/driver.ts';
import { meaningOf, QueryError } from './errors.ts';
import type { Inputs } from './expressions.ts';
import type { Query } from './plan.ts';

const PAGE = 1000;

export type Reader = { document: Document<unknown>; driver: Driver; session: Session };

type Position = { offset: number; cursor: unknown };
type Page = { rows: number; last: Row | undefined; digest: string };

/** Reads the rows of a query in batches, page by page if the query has pages. */
export async function* readQuery(reader: Reader, query: Query, inputs: Inputs = {}): AsyncGenerator<Row[]> {
  const { statement, pagination } = query;
  const position: Position = { offset: 0, cursor: pagination?.start ?? '' };
  const digests = new Set<string>();
  for (;;) {
    const page: Page = yield* readPage(reader, query, inputs, position);
    // A page may be shorter than requested without being the last one. Only an empty page ends the listing.
    if (!pagination || page.last === undefined || !statement.tokens.has(pagination.strategy)) return;
    if (digests.has(page.digest))
      throw reader.document.failure(
        statement.path,
        'the query returned the same page twice; it would never end',
      );
    digests.add(page.digest);
    position.offset += page.rows;
    if (pagination.strategy === 'cursor')
      position.cursor = nextCursor(reader, query, page.last, position.cursor);
  }
}

async function* readPage(
  reader: Reader,
  { statement, vars, pagination }: Query,
  inputs: Inputs,
  { offset, cursor }: Position,
): AsyncGenerator<Row[], Page> {
  const own: Record<string, unknown> = { limit: pagination?.page_size ?? PAGE, offset, cursor };
  const { text, values } = statement.bind(
    (token) => (token in own ? own[token] : tokenValue(token, vars, inputs)),
    (at) => reader.driver.placeholder(at),
  );
  const digest = createHash('sha256');
  let count = 0;
  let last: Row | undefined;
  for await (const rows of read(reader, statement.path, text, values)) {
    count += rows.length;
    last = rows.at(-1);
    if (pagination) for (const row of rows) digest.update(JSON.stringify(Object.values(row), plain));
    yield rows;
  }
  return { rows: count, last, digest: digest.digest('base64') };
}

function nextCursor(
  { document }: Reader,
  { statement, pagination }: Query,
  last: Row,
  cursor: unknown,
): unknown {
  const fail = (message: string) => document.failure(statement.path, message);
  const key = pagination?.primary_key ?? '';
  if (!Object.hasOwn(last, key))
    throw fail(
      `the query returns no column "${key}", which is its primary_key; its columns are ${Object.keys(last).join(', ')}`,
    );
  const next = last[key];
  if (next === null) throw fail(`the primary_key "${key}" is empty in a row, so the next page is unknown`);
  if (String(next) === String(cursor))
    throw fail(`the cursor "${key}" does not advance; the query would never end`);
  return next;
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
