import { type Db, everywhere, selectPastPartitions, type Tx } from '#kit/database.ts';
import { exists, many, run, sql, value } from '#kit/sql.ts';

/** The tables of ended periods, each partitioned by month. */
export const PERIOD_TABLES = [
  'account_period',
  'membership_period',
  'entitlement_period',
  'account_link_period',
  'person_period',
] as const;
export type PeriodTable = (typeof PERIOD_TABLES)[number];

export const ensurePartitions = (db: Db, parent: PeriodTable) =>
  run(everywhere(db))`select ensure_history_partitions(${parent})`;

export interface Retention {
  org_id: string;
  days: number;
}

/** Returns the organizations that do not keep their history forever. */
export const selectRetentions = (db: Db) => many<Retention>(db)`
    select id as org_id, history_days as days from organization where history_days is not null order by id`;

/** Records from when on the history of an organization is complete. Deletions of the same transaction go no further. */
export const moveStart = (tx: Tx, { org_id, days }: Retention) => run(tx)`
    insert into history_start as h (org_id, at) values (${org_id}, now() - ${days} * interval '24 hours')
    on conflict (org_id) do update set at = greatest(h.at, excluded.at)`;

/** Deletes expired periods of an organization, about `limit` of them, and returns how many it deleted. */
export const deleteExpired = (
  tx: Tx,
  table: PeriodTable,
  { org_id, days }: Retention,
  limit: number,
) => value<number>(tx)`
    select delete_expired_periods(${table}, ${org_id}, ${days}, ${limit}) as deleted`;

/** Returns the partitions whose month ended at least a week ago, oldest first. No period is added to them. */
export const pastPartitions = (db: Db, parent: PeriodTable) => selectPastPartitions(db, parent, 7);

export const isEmpty = async (db: Db, partition: string) =>
  !(await exists(everywhere(db))`select 1 as one from ${sql.id(partition)} limit 1`);

/** Waits for the locks for two seconds at most, because readers and writers wait behind it. Throws if it gets none. */
export async function lockPartition(tx: Tx, parent: PeriodTable, partition: string): Promise<void> {
  await run(tx)`set local lock_timeout = '2s'`;
  await run(tx)`lock table only ${sql.id(parent)} in access exclusive mode`;
  await run(tx)`lock table ${sql.id(partition)} in access exclusive mode`;
}

export const dropPartition = (tx: Tx, partition: string) => run(tx)`drop table ${sql.id(partition)}`;
