import { type Db, isCluster, type OrgTx } from '#kit/database.ts';
import { run, sql, value } from '#kit/sql.ts';

/** Returns how many accounts the planner believes to exist. On a Citus cluster, whose shards have them, it is 0. */
export const knownAccounts = (db: Db) => value<number>(db)`
    select greatest(reltuples, 0)::float8 as n from pg_class where oid = 'account'::regclass`;

export const analyzeInventory = (db: Db) => run(db)`analyze account, account_digest, entitlement, membership`;

/**
 * Lets the index of the texts (account_part) append the texts of this transaction, before it sorts them in. A search reads what is
 * appended, too. If sortTexts follows, it is up to 256 MB, about 280,000 accounts; otherwise 64 MB, since the next writer of an account
 * sorts them.
 */
export const appendTexts = (tx: OrgTx, { sorted }: { sorted: boolean }) =>
  run(tx)`set local gin_pending_list_limit = ${sql.lit(sorted && !isCluster(tx) ? '256MB' : '64MB')}`;

/**
 * Sorts into the index of the texts what publications have appended to it (appendTexts). Otherwise autovacuum does, or the next
 * writer of an account. On a cluster, whose indexes are on the workers, it is autovacuum.
 */
export async function sortTexts(db: Db): Promise<void> {
  if (!isCluster(db)) await run(db)`select gin_clean_pending_list('account_part')`;
}
