import {
  type Db,
  databaseTime,
  everywhere,
  type OrgDb,
  type OrgTx,
  secondsUntilFirst,
} from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import type { Place } from '#kit/loops/follow.ts';
import { many, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import { type Moment, momentToIso } from '#log/events/follow.ts';

const SCAN_MINUTES = 10;
/** The least time between two looks, however many events ask for one. */
const PAUSE_MINUTES = 1;
/** Whether cursor `c` is to be scanned. `orgId`: its organization, as a value where Citus requires one. */
const isScanDue = (orgId: RawBuilder<unknown>) => sql`(
  c.scanned_at < clock_now() - ${sql.lit(SCAN_MINUTES)} * interval '1 minute'
  or c.scanned_at < clock_now() - ${sql.lit(PAUSE_MINUTES)} * interval '1 minute' and (
    c.scan_asked_at is not null
    or exists (select from review_cycle y
      where y.org_id = ${orgId} and y.status = 'in_progress' and y.opened_at > c.scanned_at)))`;

/** Returns the organizations whose log has gone on, or that were not scanned lately. */
export const organizationsToRead = (db: Db) => many<{ org_id: string }>(everywhere(db))`
    select h.org_id from event_head h
    left join notification_cursor c on c.org_id = h.org_id
    where (c.org_id is null or h.last_ingested_at > c.read_to or ${isScanDue(sql`c.org_id`)})
      and ${isActiveOrganization('h.org_id')}`;

/** Returns the seconds until the next organization is due to be read or scanned. */
export const untilScan = (db: Db) => secondsUntilFirst(db)`
    select case
      when c.org_id is null or h.last_ingested_at > c.read_to then h.last_ingested_at
      when c.scan_asked_at is not null or exists (select from review_cycle y
        where y.org_id = c.org_id and y.status = 'in_progress' and y.opened_at > c.scanned_at)
        then c.scanned_at + ${sql.lit(PAUSE_MINUTES)} * interval '1 minute'
      else c.scanned_at + ${sql.lit(SCAN_MINUTES)} * interval '1 minute' end as at
    from event_head h left join notification_cursor c on c.org_id = h.org_id
    where ${isActiveOrganization('h.org_id')}`;

/**
 * Begins at the end of the log, so that an organization that exists for years already gets no old messages. An organization
 * without a log begins with its first event.
 */
export const insertCursor = (db: OrgDb) => run(db)`
    insert into notification_cursor (org_id, read_to)
    select h.org_id, h.last_ingested_at from event_head h where h.org_id = ${db.orgId}
    on conflict do nothing`;

const select = async (db: OrgDb, lock: RawBuilder<unknown>): Promise<Moment | undefined> => {
  return value<Moment | undefined>(db)`
    select (extract(epoch from c.read_to) * 1000000)::bigint as read_to
    from notification_cursor c where c.org_id = ${db.orgId} ${lock}`;
};

/** How far the log of an organization has been read. Its lock is that of the organization's notifications. */
export const place: Place = {
  read: async (db) => {
    const found = await select(db, sql``);
    if (found === undefined) await insertCursor(db);
    return found;
  },
  tryLock: (tx) => select(tx, sql`for update skip locked`),
  move: async (tx, to) => {
    await run(tx)`
      update notification_cursor set read_to = ${momentToIso(to)}::timestamptz
      where org_id = ${tx.orgId}`;
  },
};

/** Waits for the lock of `place`. */
export const lockCursor = (tx: OrgTx) =>
  run(tx)`select org_id from notification_cursor where org_id = ${tx.orgId} for update`;

/**
 * Begins a scan if it is time for one. Returns its time. Until endScan, the scan counts as asked for, so that a killed one is
 * repeated.
 */
export async function beginScanIfDue(tx: OrgTx): Promise<Date | undefined> {
  const at = await databaseTime(tx);
  const rows = await many(tx)`
    update notification_cursor c set scanned_at = ${at.toISOString()}::timestamptz,
      scan_asked_at = ${at.toISOString()}::timestamptz
    where c.org_id = ${tx.orgId} and ${isScanDue(sql`${tx.orgId}::uuid`)} returning c.org_id`;
  return rows.length === 0 ? undefined : at;
}

/** Ends the scan that began then, unless another one has been asked for since. */
export const endScan = (db: OrgDb, at: Date) => run(db)`
    update notification_cursor set scan_asked_at = null
    where org_id = ${db.orgId} and scan_asked_at = ${at.toISOString()}::timestamptz`;

/** Asks for a scan soon. */
export async function askForScan(tx: OrgTx): Promise<void> {
  const at = await databaseTime(tx);
  await run(tx)`
    update notification_cursor set scan_asked_at = ${at.toISOString()}::timestamptz where org_id = ${tx.orgId}`;
}
