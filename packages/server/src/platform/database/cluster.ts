import { type Kysely, PostgresAdapter, sql } from 'kysely';
import type { Db, Tx } from './open.ts';
import { transaction } from './transaction.ts';

/** Marks the connections of a Citus cluster, so that isCluster can tell. */
export class ClusterAdapter extends PostgresAdapter {}

/** Whether the tables are distributed over a Citus cluster. A few statements differ there (ADR 14). */
export const isCluster = (db: Kysely<object>): boolean => db.getExecutor().adapter instanceof ClusterAdapter;

/**
 * Runs a statement about all organizations. On a cluster, every other statement must go to the shard of one organization;
 * the tests enforce that with `citus.multi_task_query_log_level`.
 */
export async function acrossOrganizations<T>(db: Db, work: (tx: Db | Tx) => Promise<T>): Promise<T> {
  if (!isCluster(db)) return work(db);
  return transaction(db, async (tx) => {
    await sql`set local citus.multi_task_query_log_level = off`.execute(tx);
    return work(tx);
  });
}
