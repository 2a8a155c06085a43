import { sql } from 'kysely';
import type { OrgDb } from './organization.ts';
import { run } from './statements.ts';
import { type InTransaction, transaction } from './transaction.ts';

/**
 * Runs `work` in a transaction in which each statement may take so many seconds. A statement that takes longer throws an error of
 * `isStatementTimeout`. PGlite, which has no timers, ignores the limit.
 */
export const withTimeLimit = <O extends OrgDb, T>(
  where: O,
  seconds: number,
  work: (tx: InTransaction<O>) => Promise<T>,
): Promise<T> =>
  transaction(where, async (tx) => {
    await run(tx)`set local statement_timeout = ${sql.lit(Math.round(seconds * 1000))}`;
    return work(tx);
  });
