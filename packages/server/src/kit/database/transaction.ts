import type { Db, Tx } from './database.ts';
import { connectionOf, type OrgDb, type OrgTx, within } from './organization.ts';
import { committing } from './signals.ts';
import { isTransient } from './sqlstate.ts';
import { run } from './statements.ts';
import { dropPostponed, writePostponed } from './with-commit.ts';

const ATTEMPTS = 4;

/** The same value with a transaction as its database. */
export type InTransaction<O extends OrgDb> = Omit<O, 'db'> & OrgTx;

/**
 * Runs `work` in one read-committed transaction and repeats it from the start after a deadlock. `work` may run more
 * than once, so it must not act outside the database. In a transaction, `work` becomes part of it, which is the one that is repeated.
 */
export async function transaction<O extends OrgDb, T>(
  where: O,
  work: (tx: InTransaction<O>) => Promise<T>,
): Promise<T>;
export async function transaction<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T>;
export async function transaction<T>(where: Db | OrgDb, work: (tx: never) => Promise<T>): Promise<T> {
  if (connectionOf(where).isTransaction) return work(where as never);
  for (let attempt = 1; ; attempt++) {
    try {
      return await committing(connectionOf(where), (tx) =>
        work(('orgId' in where ? { ...where, ...within(tx, where.orgId) } : tx) as never),
      );
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Runs `work` and, if it throws, undoes it alone: the transaction can go on. */
export async function withSavepoint<T>(tx: Tx | OrgTx, work: () => Promise<T>): Promise<T> {
  await writePostponed(tx);
  await run(tx)`savepoint part`;
  try {
    const result = await work();
    await writePostponed(tx);
    await run(tx)`release savepoint part`;
    return result;
  } catch (error) {
    dropPostponed(tx);
    await run(tx)`rollback to savepoint part`;
    throw error;
  }
}
