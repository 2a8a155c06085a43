import { type RawBuilder, sql } from 'kysely';
import { everywhere, isCluster } from './cluster.ts';
import type { Db } from './database.ts';
import type { OrgDb } from './organization.ts';
import { type Statement, value } from './statements.ts';

/** Returns the database's time, the same for all nodes: what is due by it must also be planned by it. */
export const databaseTime = (db: Db | OrgDb) => value<Date>(db)`select clock_now() as now`;

/**
 * Returns the seconds until the first of some moments, by the database's clock: negative if it has passed, null without any. Its template
 * is a query about all organizations with the column `at`.
 */
export const secondsUntilFirst =
  (db: Db): Statement<number | null> =>
  (...moments) =>
    value<number | null>(everywhere(db))`
    select extract(epoch from min(at) - clock_now())::double precision as seconds from (${sql(...moments)}) due`;

/**
 * Returns the database's time for a statement that inserts what it selects. On a cluster, `clock_now()` would be the clock of the
 * worker there, and that of the coordinator elsewhere: times that are compared need one clock (ADR 16).
 */
export async function timeToInsert(db: Db | OrgDb): Promise<RawBuilder<unknown>> {
  if (!isCluster(db)) return sql`clock_now()`;
  const now = await value<string | undefined>(db)`select clock_now()::text as now`;
  return sql`${now ?? ''}::timestamptz`;
}
