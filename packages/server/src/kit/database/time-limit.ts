import { sql } from 'kysely';
import { keepingPlace } from '../place.ts';
import { connectionOf, type OrgDb, within } from './organization.ts';
import { run } from './statements.ts';
import type { InTransaction } from './transaction.ts';

/**
 * Runs `read` in a read-only transaction in which each statement may take so many seconds. A statement that takes longer throws an error of
 * `isStatementTimeout`. PGlite, which has no timers, ignores the limit.
 */
export const withTimeLimit = <O extends OrgDb, T>(
  where: O,
  seconds: number,
  read: (tx: InTransaction<O>) => Promise<T>,
): Promise<T> =>
  keepingPlace(() =>
    connectionOf(where)
      .transaction()
      .setAccessMode('read only')
      .execute(async (tx) => {
        await run(tx)`set local statement_timeout = ${sql.lit(Math.round(seconds * 1000))}`;
        return read({ ...where, ...within(tx, where.orgId) } as unknown as InTransaction<O>);
      }),
  );
