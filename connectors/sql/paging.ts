import { createHash } from 'node:crypto';
import { type Row, readable } from './drivers/driver.ts';
import type { Inputs } from './expressions.ts';
import { followKeys } from './keys.ts';
import type { Query } from './plan.ts';
import { ALL_ROWS, type Reader, read, tokenValue } from './statements.ts';

const PAGE = 1000;

type Position = { offset: number; cursor: unknown };
/** `last` has the bytes and numbers of the driver, with which a cursor goes on. Pages with an offset have a digest of their rows. */
type Page = { rows: number; last: Row | undefined; digest: string | undefined };
type Keys = ReturnType<typeof followKeys>;

/**
 * Reads the rows of a query in batches, page by page if the query has pages. Throws if the pages lack rows. The database works on the
 * next batch while the caller works on this one, so the caller must not run another statement of the session in between.
 */
export const readQuery = (reader: Reader, query: Query, inputs: Inputs = {}): AsyncGenerator<Row[]> =>
  readAhead(readPages(reader, query, inputs));

async function* readAhead<T>(items: AsyncGenerator<T>): AsyncGenerator<T> {
  const read = () => {
    const next = items.next();
    // Its error is thrown when its turn has come.
    next.catch(() => {});
    return next;
  };
  let next = read();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = read();
      yield value;
    }
  } finally {
    await items.return(undefined);
  }
}

async function* readPages(
  reader: Reader,
  query: Query,
  inputs: Inputs,
  mostPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<Row[]> {
  const { statement, pagination } = query;
  const position: Position = { offset: 0, cursor: pagination?.start ?? '' };
  const keys = followKeys(reader, query, inputs);
  const places = new Set<string>();
  for (;;) {
    const page: Page = yield* readPage(reader, query, inputs, position, keys);
    if (!pagination || !statement.tokens.has(pagination.strategy)) return;
    // A page may be shorter than requested without being the last one. Only an empty page ends the listing.
    if (page.last === undefined) return keys.verify();
    position.offset += page.rows;
    if (pagination.strategy === 'cursor')
      position.cursor = nextCursor(reader, query, page.last, position.cursor);
    // The page behind a cursor is always the same one. Only its rows show whether a query ignores its offset.
    const place = page.digest ?? String(position.cursor);
    if (places.has(place))
      throw reader.document.failure(
        statement.path,
        'the query returned the same page twice; it would never end',
      );
    places.add(place);
    if (pagination.strategy === 'cursor' && places.size === mostPages) return keys.verify(false);
  }
}

/** Reads the first two pages, and checks that pages of the query do not lose rows. Returns the first row. */
export async function testQuery(reader: Reader, query: Query, inputs: Inputs = {}): Promise<Row | undefined> {
  if (query.pagination?.strategy !== 'cursor') {
    for await (const [row] of readPages(reader, query, inputs)) return row;
    return undefined;
  }
  let first: Row | undefined;
  for await (const [row] of readPages(reader, query, inputs, 2)) first ??= row;
  return first;
}

async function* readPage(
  reader: Reader,
  { statement, vars, pagination }: Query,
  inputs: Inputs,
  { offset, cursor }: Position,
  keys: Keys,
): AsyncGenerator<Row[], Page> {
  // With an offset, pages fit together only if the order of rows has no ties, so one page has all of them.
  const limit = pagination?.strategy === 'offset' ? ALL_ROWS : (pagination?.page_size ?? PAGE);
  const own: Record<string, unknown> = { limit, offset, cursor };
  const bound = statement.bind(
    (token) => (token in own ? own[token] : tokenValue(token, vars, inputs)),
    (at) => reader.driver.placeholder(at),
  );
  const digest = pagination?.strategy === 'offset' ? createHash('sha256') : undefined;
  let count = 0;
  let last: Row | undefined;
  for await (const raw of read(reader, statement.path, bound)) {
    count += raw.length;
    last = raw.at(-1);
    keys.add(raw);
    const rows = raw.map(readable);
    if (digest) for (const row of rows) digest.update(JSON.stringify(Object.values(row), plain));
    yield rows;
  }
  return { rows: count, last, digest: digest?.digest('base64') };
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
