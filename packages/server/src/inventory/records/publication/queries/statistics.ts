import { sql } from 'kysely';
import { isCluster } from '../../../../kit/database/cluster.ts';
import type { Db } from '../../../../kit/database/open.ts';

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
