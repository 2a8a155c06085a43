import { sql } from 'kysely';
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
