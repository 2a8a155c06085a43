import { TaskError } from '@gatehouse/connector';
import { type Row, readable } from './drivers/driver.ts';
import { type Inputs, textOf } from './expressions.ts';
import { readQuery } from './paging.ts';
import type { Change, TypePlan } from './plan.ts';
import type { Statement } from './queries.ts';
import { guarded, type Reader, read, tokenValue } from './statements.ts';

/** Runs work in a transaction, unless the definition forbids one. */
export async function inTransaction<T>(
  { session }: Reader,
  isTransaction: boolean,
  work: () => Promise<T>,
): Promise<T> {
  if (!isTransaction) return work();
  await session.begin();
  try {
    const result = await work();
    await session.commit();
    return result;
  } catch (error) {
    // The first failure says more than a connection that cannot roll back.
    await session.rollback().catch(() => {});
    throw error;
  }
}

/**
 * Runs the statements of a change. One that changes several rows fails, so that a forgotten WHERE does no harm. Returns how many rows
 * were changed, or undefined if a statement, such as a procedure, does not say that.
 */
export async function apply(
  reader: Reader,
  change: Change,
  inputs: Inputs & { id?: string },
): Promise<number | undefined> {
  const { document, driver, session } = reader;
  // Expressions are evaluated once, so that each statement sees the same values.
  const known = new Map([...change.vars].map(([name, expression]) => [name, expression.value(inputs)]));
  const value = (token: string) =>
    known.has(token) ? known.get(token) : tokenValue(token, new Map(), inputs);
  if (change.reject) {
    const row = await firstRow(reader, change.reject.statement, value);
    if (row) {
      const why =
        textOf(change.reject.reason, { ...inputs, cols: row }) || 'a rule of the definition rejects it';
      throw new TaskError('PERMISSION_DENIED', why);
    }
  }
  let changed: number | undefined = 0;
  for (const statement of change.statements) {
    const { text, values } = statement.bind(value, (position) => driver.placeholder(position));
    const rows = await guarded(document, statement.path, () => session.run(text, values));
    if (rows > 1 && !change.mayChangeManyRows) {
      const rule = change.isTransaction
        ? 'it was rolled back'
        : 'it ran without a transaction and is not undone';
      throw new TaskError(
        'INTERNAL_ERROR',
        `${document.failure(statement.path, `the statement changed ${rows} rows instead of one; ${rule}`).message}`,
      );
    }
    if (changed !== undefined) changed = COUNTED.test(text) ? changed + rows : undefined;
  }
  return changed;
}

const COUNTED = /^\s*(?:insert|update|delete)\b/i;

export async function firstRow(
  reader: Reader,
  statement: Statement,
  value: (token: string) => unknown,
): Promise<Row | undefined> {
  const bound = statement.bind(value, (position) => reader.driver.placeholder(position));
  for await (const [row] of read(reader, statement.path, bound)) return row && readable(row);
  return undefined;
}

/** Throws ACCOUNT_NOT_FOUND if the account does not exist. Without the extension `exists`, reads the list until it is found. */
export async function requireAccount(reader: Reader, type: TypePlan, id: string): Promise<void> {
  if (!(await exists(reader, type, id)))
    throw new TaskError('ACCOUNT_NOT_FOUND', `no ${type.slug} has the id ${id}`);
}

async function exists(reader: Reader, type: TypePlan, id: string): Promise<boolean> {
  if (!type.exists) return isListed(reader, type, id);
  if ((await firstRow(reader, type.exists, () => id)) !== undefined) return true;
  if (HEXADECIMAL.test(id) && (await isListed(reader, type, id)))
    throw reader.document.failure(
      type.exists.path,
      `the list has the account ${id}, but the query of "exists" does not find it; an id of bytes is hexadecimal, so convert it back, for example with UNHEX(?<id>)`,
    );
  return false;
}

const HEXADECIMAL = /^(?:[\da-f]{2}){8,}$/;

const isListed = async (reader: Reader, type: TypePlan, id: string) =>
  (await listedRow(reader, type, id)) !== undefined;

/** Returns the row of an account in the list. */
export async function listedRow(reader: Reader, type: TypePlan, id: string): Promise<Row | undefined> {
  for await (const rows of readQuery(reader, type.list)) {
    for (const cols of rows) if (textOf(type.map.id, { cols }) === id) return cols;
  }
  return undefined;
}
