import { sql } from 'kysely';
import { isCluster } from '../../../../kit/database/cluster.ts';
import type { Db } from '../../../../kit/database/open.ts';

/** Returns how many accounts the planner believes to exist. On a Citus cluster, whose shards have them, it is 0. */
export async function knownAccounts(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select greatest(reltuples, 0)::float8 as n from pg_class where oid = 'account'::regclass`.execute(db);
  return rows[0]?.n ?? 0;
}

export async function analyzeInventory(db: Db): Promise<void> {
  await sql`analyze account, account_digest, entitlement, membership`.execute(db);
}

/**
 * Sorts into the index of the texts what publications have appended to it (configurePlanner). Otherwise autovacuum does, or the next
 * writer of an account. On a cluster, whose indexes are on the workers, it is autovacuum.
 */
export async function sortTexts(db: Db): Promise<void> {
  if (!isCluster(db)) await sql`select gin_clean_pending_list('account_part')`.execute(db);
}
