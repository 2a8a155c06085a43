import type { OrgDb } from '#kit/database.ts';
import { many, one, sql } from '#kit/sql.ts';
import { isSighting, NOW } from '../../history/change-facts.ts';
import { membershipPeriods } from '../../history/facts.ts';
import { exactTime } from '../../history/period-facts.ts';

/** More licenses than this are not counted. */
const LICENSES = 1000;

export interface License {
  id: string;
  /** Null if their number is unknown or not limited. */
  seats: number | null;
}

/** Returns the licenses that exist now, those with the most seats first. */
export const existingLicenses = (db: OrgDb, appId: string, licenseId: string | null) => many<License>(db)`
    select e.id, case when e.is_unlimited is not true and e.max_count > 0 then e.max_count end as seats
    from entitlement e join resource_type t on t.org_id = e.org_id and t.id = e.resource_type_id
    where e.org_id = ${db.orgId} and e.app_id = ${appId} and e.active and t.type = 'license'
      and (${licenseId}::uuid is null or e.id = ${licenseId}::uuid)
    order by 2 desc nulls last, e.id limit ${LICENSES}`;

/** The first and the last time of a trend, in ISO 8601 with microseconds. */
export interface Span {
  first: string;
  last: string;
}

/** Returns the part of the last 12 months in which the assignments of an app are on record. Undefined if none is. */
export const knownSpan = (db: OrgDb, appId: string) => one<Span>(db)`
    select ${exactTime(sql`span.first`)} as first, ${exactTime(sql`span.last`)} as last
    from (
      select clock.now as last, greatest(clock.now - interval '12 months', sighting.at, (
        select hs.at from history_start hs where hs.org_id = ${db.orgId})) as first
      from (select clock_now() as now offset 0) clock, (
        select c.at from inventory_change c
        where c.org_id = ${db.orgId} and c.app_id = ${appId} and ${isSighting('c')}
        order by c.at limit 1) sighting
    ) span`;

/**
 * Counts the assignments of licenses by the times between which they existed: `before` is the number of times before
 * they began, `until` the number of times before they were gone (null: they exist).
 */
export async function assignedPeriods(
  db: OrgDb,
  licenseIds: readonly string[],
  times: readonly string[],
): Promise<{ before: number; until: number | null; count: number }[]> {
  const placed = (column: 'since' | 'gone_by') =>
    sql`width_bucket(${sql.ref(`m.${column}`)} - interval '1 microsecond', ${times}::timestamptz[])`;
  return many<{ before: number; until: number | null; count: number }>(db)`
    select ${placed('since')} as before, ${placed('gone_by')} as until, count(*)::int as count
    from ${membershipPeriods(db, NOW, sql`${times[0]}::timestamptz`)} m
    where m.entitlement_id = any(${licenseIds}::uuid[])
    group by 1, 2`;
}
