import { sql } from 'kysely';
import { isCluster } from '../database/cluster.ts';
import type { OrgDb, OrgTx } from '../database/organization.ts';
import { many, run, value } from '../database/statements.ts';
import { nfc } from '../nfc.ts';

/**
 * Makes callers wait for each other until `tx` ends, for example to count rows that have a limit. Others can still reference
 * the organization. On a cluster, all nodes have the organizations, and the lock of one would be that of all of them (ADR 16).
 */
export async function takeTurnsIn(tx: OrgTx): Promise<void> {
  if (isCluster(tx)) {
    await run(tx.db)`select pg_advisory_xact_lock(hashtextextended(${`turns ${tx.orgId}`}, 0))`;
    return;
  }
  await run(tx)`select from organization where id = ${tx.orgId} for no key update`;
}

/** Returns the attribute that says who somebody is, if the organization has named one (D63). */
export async function findPersonKey(tx: OrgTx): Promise<string | null> {
  const name =
    (await value<string | null | undefined>(tx)`
    select person_key from organization where id = ${tx.orgId}`) ?? null;
  return name === null ? null : nfc(name);
}

interface LocalTime {
  /** By the database's clock. */
  now: Date;
  /** An IANA name. */
  timeZone: string;
  /** The day there, such as 2027-03-31. */
  today: string;
}

/** Returns the time in the organization's time zone (D67). */
export async function localTime(db: OrgDb): Promise<LocalTime> {
  const rows = await many<{ now: Date; time_zone: string }>(db)`
    select clock_now() as now, time_zone from organization where id = ${db.orgId}`;
  const { now, time_zone: timeZone } = rows[0] as (typeof rows)[0];
  const there = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone);
  return { now, timeZone, today: there.toPlainDate().toString() };
}

/**
 * Whether a moment was before the current day in the time zone that an organization has now (D67), for the background work of any
 * feature. `moment` and `orgId` are the text of expressions in SQL.
 */
export const isBeforeToday = (moment: string, orgId: string) =>
  sql.raw(`exists (
    select from organization o
    where o.id = ${orgId} and (${moment} at time zone o.time_zone)::date < (clock_now() at time zone o.time_zone)::date)`);

/** The beginning of the day after that of a moment, as above. */
export const dayAfter = (moment: string, orgId: string) =>
  sql.raw(`(
    select (date_trunc('day', ${moment} at time zone o.time_zone) + interval '1 day') at time zone o.time_zone
    from organization o where o.id = ${orgId})`);

/**
 * Returns the condition that an organization is not suspended, for the background work of any feature (D52). `orgId` is a
 * column, such as `t.org_id`.
 */
export const isActiveOrganization = (orgId: string) =>
  sql.raw(`not exists (
    select from organization o
    where o.id = ${orgId} and (o.suspended_at is not null or o.delete_after is not null))`);
