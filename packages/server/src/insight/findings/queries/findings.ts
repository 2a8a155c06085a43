import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { namedPersonJson } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, exists, many, one, type RawBuilder, run, sql } from '#kit/sql.ts';
import { type FindingFilter, findingFilters, isAccepted } from '../filters.ts';
import { KIND_NAMES, type KindName, type Subject } from '../finding.ts';
import type { FindingView } from '../finding-schemas.ts';
import { nameOfAccount, nameOfGroup, nameOfPerson } from './kinds/names.ts';

/** A stored finding, with what is shown of others now. */
export interface Finding
  extends Pick<
    FindingView,
    | 'severity'
    | 'since'
    | 'owner'
    | 'assignee'
    | 'status'
    | 'accepted_until'
    | 'accepted_by'
    | 'reason'
    | 'resolved_at'
  > {
  id: string;
  kind: KindName;
  subject_type: Subject;
  subject_id: string;
  label: string;
  app_id: string | null;
  user_id: string | null;
  values: Record<string, unknown>;
}

/** The limits of a caller. */
export interface Seen {
  /** Null: all apps, and findings without one. */
  apps: readonly string[] | null;
  /** Only findings about people who report to this person, and those assigned to them. Null: all. */
  member: string | null;
}

/** Whether this release knows the kind of finding `f`: a newer one, which runs beside it during an upgrade, may have more. */
export const isKnown = sql<boolean>`f.kind = any(${KIND_NAMES}::text[])`;

const seenBy = (org: Org, { apps, member }: Seen): RawBuilder<unknown>[] => [
  isKnown,
  ...(apps === null ? [] : [sql`f.app_id = any(${[...apps]}::uuid[])`]),
  ...(member === null
    ? []
    : [
        sql`(f.assignee_id = ${member} or f.user_id in (
            select u.id from platform_user u
            where u.org_id = ${org.orgId} and u.manager_id = ${member} and u.merged_into is null)
          -- The account may have become somebody else's since.
          and (f.subject_type <> 'account' or exists (
            select from ${accounts} a where a.org_id = ${org.orgId} and a.id = f.subject_id and a.user_id = f.user_id)))`,
      ]),
];

const personOf = (org: Org, id: RawBuilder<unknown>) =>
  sql`(select ${namedPersonJson('u')} from platform_user u where u.org_id = ${org.orgId} and u.id = ${id})`;

const label = (org: Org) => sql`coalesce(case f.subject_type
  when 'person' then (select ${nameOfPerson('u')} from platform_user u where u.org_id = ${org.orgId} and u.id = f.subject_id)
  when 'account' then (select ${nameOfAccount('a')} from ${accounts} a where a.org_id = ${org.orgId} and a.id = f.subject_id)
  when 'group' then (select ${nameOfGroup('e')} from ${entitlements} e where e.org_id = ${org.orgId} and e.id = f.subject_id)
  when 'app' then (select p.name from app p where p.org_id = ${org.orgId} and p.id = f.subject_id)
  when 'policy' then (select p.name from policy p where p.org_id = ${org.orgId} and p.id = f.subject_id)
  end, '')`;

const view = (org: Org) => sql`
  f.id, f.kind, f.severity, f.subject_type, f.subject_id, f.app_id, f.user_id, f."values", f.since, f.resolved_at,
  ${label(org)} as label,
  ${personOf(
    org,
    sql`case when f.app_id is not null
      then (select p.owner_id from app p where p.org_id = ${org.orgId} and p.id = f.app_id)
      else (select m.manager_id from platform_user m where m.org_id = ${org.orgId} and m.id = f.user_id) end`,
  )} as owner,
  ${personOf(org, sql`f.assignee_id`)} as assignee,
  case when f.resolved_at is not null then 'resolved' when ${isAccepted} then 'accepted' else 'open' end as status,
  case when ${isAccepted} then f.accepted_until end as accepted_until,
  case when ${isAccepted} then ${personOf(org, sql`f.accepted_by`)} end as accepted_by,
  case when ${isAccepted} then f.reason end as reason`;

/** Lists findings, those that began last first. */
export async function listFindings(
  db: OrgDb,
  filter: FindingFilter,
  seen: Seen,
  page: Page,
): Promise<Slice<Finding>> {
  const where = findingFilters.where(db, filter, sql`f.org_id = ${db.orgId}`, ...seenBy(db, seen));
  const counted = await countFor(db, page)`select from finding f where ${where}`;
  const order = sql`f.since desc, f.id desc`;
  const results = await many<Finding>(db)`
    with page as materialized (
      select f.* from finding f where ${where} order by ${order} limit ${page.limit} offset ${page.offset})
    select ${view(db)} from page f order by ${order}`;
  return { ...counted, results };
}

export const findFinding = (db: OrgDb, id: string, seen: Seen) => one<Finding>(db)`
    select ${view(db)} from finding f
    where ${sql.join([sql`f.org_id = ${db.orgId}`, sql`f.id = ${id}`, ...seenBy(db, seen)], sql` and `)}`;

/** Accepts a finding. Returns whether it is not resolved. */
export const accept = (
  tx: OrgTx,
  id: string,
  { until, reason, by }: { until: Date; reason: string; by: string },
) => exists(tx)`
    update finding set accepted_until = ${until.toISOString()}::timestamptz, reason = ${reason}, accepted_by = ${by}
    where org_id = ${tx.orgId} and id = ${id} and resolved_at is null returning id`;

/** Ends the acceptance of a finding. Returns whether it was accepted. */
export const reopen = (tx: OrgTx, id: string) => exists(tx)`
    update finding f set accepted_until = null, accepted_by = null, reason = null
    where f.org_id = ${tx.orgId} and f.id = ${id} and f.resolved_at is null and ${isAccepted} returning f.id`;

export const assign = (tx: OrgTx, id: string, userId: string | null) =>
  run(tx)`update finding set assignee_id = ${userId} where org_id = ${tx.orgId} and id = ${id}`;

/** A number of findings of a kind that began or, if it is negative, ended on a day (UTC). */
interface Step {
  day: string;
  kind: KindName;
  n: number;
}

const byDay = (days: number, steps: RawBuilder<unknown>) => sql`
    select to_char(greatest(c.day, (clock_now() at time zone 'UTC')::date - ${days}::integer), 'YYYY-MM-DD') as day, c.kind,
      sum(c.n)::integer as n
    from ${steps} c group by 1, 2 order by 1, 2`;

/** Returns by how many the findings of each kind grew on each of the last days, with all days before as one. */
export async function changesByDay(db: OrgDb, days: number, seen: Seen): Promise<Step[]> {
  if (seen.apps === null && seen.member === null)
    return many<Step>(db)`${byDay(
      days,
      sql`(
      select f.kind, f.day, f.n from finding_day f where f.org_id = ${db.orgId} and ${isKnown})`,
    )}`;
  const where = whole(db, seen);
  return many<Step>(db)`${byDay(
    days,
    sql`(
      select f.kind, (f.opened_at at time zone 'UTC')::date as day, 1 as n from finding f where ${where}
      union all
      select f.kind, (f.resolved_at at time zone 'UTC')::date, -1 from finding f where ${where} and f.resolved_at is not null)`,
  )}`;
}

/** Counts the open findings of each kind, each up to `limit`. */
export const countOpen = (db: OrgDb, seen: Seen, limit: number) => many<{ kind: KindName; n: number }>(db)`
    select k.kind, (
      select count(*) from (
        select from finding f where f.kind = k.kind and ${whole(db, seen)} and f.resolved_at is null and not ${isAccepted} limit ${limit}) as found) as n
    from unnest(${KIND_NAMES}::text[]) with ordinality as k (kind, place) order by k.place`;

/** Counts the open findings, and those of them that are critical or high, both up to `limit`. */
export async function countSevere(
  db: OrgDb,
  seen: Seen,
  limit: number,
): Promise<{ count: number; severe: number }> {
  const open = sql`${whole(db, seen)} and f.resolved_at is null and not ${isAccepted}`;
  const counted = (where: RawBuilder<unknown>) =>
    sql`(select count(*) from (select from finding f where ${where} limit ${limit}) as found)`;
  const found = await one<{ count: number; severe: number }>(db)`
    select ${counted(open)} as count, ${counted(sql`${open} and f.severity in ('critical', 'high')`)} as severe`;
  return found ?? { count: 0, severe: 0 };
}

const whole = (db: OrgDb, seen: Seen) =>
  sql.join([sql`f.org_id = ${db.orgId}`, ...seenBy(db, seen)], sql` and `);
