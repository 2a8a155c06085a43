import { type RawBuilder, sql } from 'kysely';
import { type Moment, momentToIso } from '../../events/follow.ts';
import { isActiveOrganization } from '../../identity/organization-facts.ts';
import { acrossOrganizations } from '../../platform/database/cluster.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { now } from './store.ts';

export interface Cursor {
  read_to: Moment;
  /** Whether it is time to look for what becomes due. */
  scan_due: boolean;
}

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
export async function organizationsToRead(db: Db): Promise<string[]> {
  const { rows } = await acrossOrganizations(db, (tx) =>
    sql<{ org_id: string }>`
      select h.org_id from event_head h
      left join notification_cursor c on c.org_id = h.org_id
      where (c.org_id is null or h.last_ingested_at > c.read_to or ${isScanDue(sql`c.org_id`)})
        and ${sql.raw(isActiveOrganization('h.org_id'))}`.execute(tx),
  );
  return rows.map(({ org_id }) => org_id);
}

/**
 * Begins at the end of the log, so that an organization that exists for years already gets no old messages. An organization
 * without a log begins with its first event.
 */
export async function insertCursor(db: Db, orgId: string): Promise<void> {
  await sql`
    insert into notification_cursor (org_id, read_to)
    select h.org_id, h.last_ingested_at from event_head h where h.org_id = ${orgId}
    on conflict do nothing`.execute(db);
}

/** Locks the notifications of an organization until `tx` ends. Undefined if another node has the lock, or none exists yet. */
export async function tryLockCursor(tx: Tx, orgId: string): Promise<Cursor | undefined> {
  const { rows } = await sql<Cursor>`
    select (extract(epoch from c.read_to) * 1000000)::bigint as read_to, ${isScanDue(sql`${orgId}::uuid`)} as scan_due
    from notification_cursor c where c.org_id = ${orgId} for update skip locked`.execute(tx);
  return rows[0];
}

export async function moveCursor(tx: Tx, orgId: string, to: Moment): Promise<void> {
  await sql`
    update notification_cursor set read_to = ${momentToIso(to)}::timestamptz where org_id = ${orgId}`.execute(
    tx,
  );
}

/** Waits for the lock that tryLockCursor takes. */
export async function lockCursor(tx: Tx, orgId: string): Promise<void> {
  await sql`select org_id from notification_cursor where org_id = ${orgId} for update`.execute(tx);
}

/** Begins a scan. Returns its time. Until endScan, the scan counts as asked for, so that a killed one is repeated. */
export async function beginScan(tx: Tx, orgId: string): Promise<Date> {
  const at = await now(tx);
  await sql`
    update notification_cursor set scanned_at = ${at.toISOString()}::timestamptz,
      scan_asked_at = ${at.toISOString()}::timestamptz
    where org_id = ${orgId}`.execute(tx);
  return at;
}

/** Ends the scan that began then, unless another one has been asked for since. */
export async function endScan(db: Db, orgId: string, at: Date): Promise<void> {
  await sql`
    update notification_cursor set scan_asked_at = null
    where org_id = ${orgId} and scan_asked_at = ${at.toISOString()}::timestamptz`.execute(db);
}

/** Asks for a scan soon. */
export async function askForScan(tx: Tx, orgId: string): Promise<void> {
  const at = await now(tx);
  await sql`
    update notification_cursor set scan_asked_at = ${at.toISOString()}::timestamptz where org_id = ${orgId}`.execute(
    tx,
  );
}
