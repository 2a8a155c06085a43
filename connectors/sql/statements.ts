import type { Document, Path } from '@gatehouse/connector/declarative';
import type { Driver, Row, Session } from './drivers/driver.ts';
import { meaningOf, QueryError } from './errors.ts';
import type { Inputs } from './expressions.ts';
import type { Query } from './plan.ts';
import type { Bound } from './queries.ts';

export type Reader = { document: Document<unknown>; driver: Driver; session: Session };

/** More rows than any list has. All engines accept it as a limit. */
export const ALL_ROWS = 2 ** 31 - 1;

/** Binds the statement that returns all rows of a query, whatever its pages. Its parameters follow `before` others. */
export function bindWhole(
  { driver }: Reader,
  { whole, vars, pagination }: Query,
  inputs: Inputs,
  before = 0,
): Bound {
  const own: Record<string, unknown> = { limit: ALL_ROWS, offset: 0, cursor: pagination?.start ?? '' };
  return whole.bind(
    (token) => (token in own ? own[token] : tokenValue(token, vars, inputs)),
    (at) => driver.placeholder(at + before),
  );
}

/** Reads a statement. Adds its place in the definition to errors of the database. */
export async function* read(
  { document, session }: Reader,
  path: Path,
  { text, values }: Bound,
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
