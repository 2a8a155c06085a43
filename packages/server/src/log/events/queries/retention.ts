import { type Db, everywhere, type OrgDb, type OrgTx, selectPastPartitions, type Tx } from '#kit/database.ts';
import { affected, exists, many, run, sql, value } from '#kit/sql.ts';

export const ensurePartitions = (db: Db) =>
  value<number>(everywhere(db))`select ensure_event_partitions() as made`;

/** Sets how many days an organization's events are kept. Null keeps them forever. */
export const updateRetention = (db: OrgDb, days: number | null) =>
  run(db)`update event_head set retention_days = ${days} where org_id = ${db.orgId}`;

/** Hides the events of an organization that are older than its retention, and records the gap that they leave. */
export async function raiseRetention(tx: OrgTx, days: number): Promise<void> {
  const from = sql`date_trunc('milliseconds', now() - ${days} * interval '24 hours')`;
  const rows = await many(tx)`
    update event_head set retained_from = ${from} where org_id = ${tx.orgId} and retained_from < ${from} returning org_id`;
  if (rows.length > 0) await recordRemoved(tx);
}

/** Records that the log has no event from its beginning up to the newest hidden one, and between the positions that were skipped. */
async function recordRemoved(tx: OrgTx): Promise<void> {
  const newest = (catalog: keyof typeof TABLES) => sql`(
    select e.position from ${sql.id(TABLES[catalog])} e where e.org_id = ${tx.orgId} and e.ingested_at < h.retained_from
    order by e.ingested_at desc limit 1)`;
  await run(tx)`
    insert into event_gap as g (org_id, first_position, last_position, reason)
    select org_id, first, last, 'retention' from (
      select org_id, before + 1 as first, least(newest, lead(jumped - 1) over (order by before)) as last
      from (
        select h.org_id, 0 as before, 0 as jumped from event_head h where h.org_id = ${tx.orgId}
        union all
        select org_id, last_position, first_position from event_gap where org_id = ${tx.orgId} and reason = 'jump'
      ) jump cross join (
        select greatest(${newest('contract')}, ${newest('configuration')}) as newest from event_head h
        where h.org_id = ${tx.orgId}
      ) hidden
      where newest is not null
    ) part
    where first <= last
    on conflict (org_id, first_position) do update set last_position = excluded.last_position, at = excluded.at
      where g.last_position < excluded.last_position`;
}

/** Hides all events of an organization, also those that are still to come. */
export const hideAll = (db: OrgDb) =>
  run(db)`update event_head set retained_from = 'infinity' where org_id = ${db.orgId}`;

/** Returns the partitions whose month is over, oldest first. No event is added to them. */
export const pastPartitions = (db: Db) => selectPastPartitions(db, 'event_contract', 0);

/** Whether any organization still keeps an event of the partition. */
export const isKept = (db: Db, partition: string) => exists(everywhere(db))`
    select h.org_id from event_head h
    where exists (
      select from ${sql.id(partition)} e where e.org_id = h.org_id and e.ingested_at >= h.retained_from)
    limit 1`;

/** Waits for the lock for two seconds at most, because readers and writers wait behind it. The next run tries again. */
export async function dropPartition(tx: Tx, name: string): Promise<void> {
  await run(tx)`set local lock_timeout = '2s'`;
  await run(tx)`drop table ${sql.id(name)}`;
}

const TABLES = { contract: 'event_contract', configuration: 'event_configuration' };

/** Deletes up to `limit` hidden events of an organization and returns how many it deleted. */
export async function deleteHidden(tx: OrgTx, limit: number): Promise<number> {
  // A cluster then passes the next setting on to its workers, where the trigger reads it.
  await run(tx)`set local citus.propagate_set_commands = 'local'`;
  await run(tx)`set local gatehouse.event_retention = 'on'`;
  let deleted = 0;
  for (const catalog of ['contract', 'configuration'] as const) {
    const table = sql.id(TABLES[catalog]);
    deleted += await affected(tx)`
      delete from ${table} e using (
        select e.org_id, e.ingested_at from ${table} e join event_head h on h.org_id = e.org_id
        where e.org_id = ${tx.orgId} and e.ingested_at < h.retained_from
        order by e.ingested_at limit ${limit - deleted}
      ) old
      where e.org_id = ${tx.orgId} and e.org_id = old.org_id and e.ingested_at = old.ingested_at`;
  }
  return deleted;
}

/** Returns the organizations that do not keep events forever. */
export const selectRetentions = (db: Db) => many<Retention>(everywhere(db))`
    select org_id as "orgId", retention_days as days from event_head
    where retention_days is not null order by org_id`;

export interface Retention {
  orgId: string;
  days: number;
}
