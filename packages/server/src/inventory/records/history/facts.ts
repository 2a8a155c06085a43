import type { Org } from '#kit/database.ts';
import { type RawBuilder, sql } from '#kit/sql.ts';
import { isSighting, NOW } from './change-facts.ts';

/*
 * The history of accounts, memberships and entitlements as relations that unite open and ended periods (D45). Each is a plain
 * `union all`, so that the planner applies conditions on org_id, app_id, account_id and entitlement_id to the rows of
 * both tables. Conditions with constants or parameters are applied by index; a join with another relation may read all
 * periods of the organization.
 */

/** When the newest completed sync of an app, as known at `known`, saw everything that exists. */
const lastSighting = (org: Org, appId: RawBuilder<unknown>, known: RawBuilder<unknown>) => sql`(
  select sighting.at from inventory_change sighting
  where sighting.org_id = ${org.orgId} and sighting.app_id = ${appId} and ${isSighting('sighting', known)}
  order by sighting.at desc limit 1)`;

/**
 * When a period that is open at `known` was last seen. A task that touched it is newer than the syncs that count.
 * `seenUntil` is set if the newest of them did not see it.
 */
const openSeenUntil = (
  org: Org,
  known: RawBuilder<unknown>,
  row: {
    appId: RawBuilder<unknown>;
    since: RawBuilder<unknown>;
    taskedAt: RawBuilder<unknown>;
    seenUntil?: RawBuilder<unknown>;
  },
) => sql`greatest(${row.since},
  case when ${row.taskedAt} <= ${known} then ${row.taskedAt}
  else least(${row.seenUntil ?? sql`null`}, coalesce(${lastSighting(org, row.appId, known)}, '-infinity')) end)`;

/**
 * When entitlement `e`, which is active at `known`, was last seen. A task is remembered once a publication has not seen the
 * entitlement (markUnseenEntitlements): it then counts instead of later syncs, or alone if no sync has completed yet. Times
 * that were known before that publication stay as they were.
 */
const entitlementSeenUntil = (org: Org, known: RawBuilder<unknown>) => sql`greatest(e.since, least(
  case when e.tasked_at <= ${known} and exists (
    select from inventory_change unseeing
    where unseeing.org_id = ${org.orgId} and unseeing.app_id = e.app_id and unseeing.started_at is not null
      and unseeing.kind = 'sync' and unseeing.at >= e.tasked_at and unseeing.at <= ${known}) then e.tasked_at end,
  ${lastSighting(org, sql`e.app_id`, known)}))`;

/** When a period that has ended since `known` was last seen: never later than it turned out in the end. */
const laterEndedSeenUntil = (org: Org, known: RawBuilder<unknown>) => sql`
  greatest(p.since, least(p.seen_until, coalesce(${lastSighting(org, sql`p.app_id`, known)}, '-infinity')))`;

/** The columns of ended periods `p` that depend on `known`, and the causes. */
const endedColumns = (org: Org, known: RawBuilder<unknown>) => sql`
  p.not_before, p.since,
  case when p.ended_at <= ${known} then p.seen_until else ${laterEndedSeenUntil(org, known)} end as seen_until,
  case when p.ended_at <= ${known} then p.gone_by end as gone_by,
  p.known_from, p.began_by, case when p.ended_at <= ${known} then p.ended_by end as ended_by`;

const endedCondition = (org: Org, known: RawBuilder<unknown>, after: RawBuilder<unknown> | null) => sql`
  p.org_id = ${org.orgId} and p.known_from <= ${known} and (p.known_to is null or p.known_to > ${known})
  ${after === null ? sql`` : sql`and p.ended_at > ${after}`}`;

/**
 * The states of accounts as known at `known`: one row for each period in which an account existed with the same
 * attributes. Columns: org_id, account_id, app_id, resource_type_id, external_id, email, username, first_name,
 * last_name, display_name, status, given (false: found, D73), not_before (null: nothing is known before), since, seen_until, gone_by (null: open),
 * known_from, began_by, ended_by (ids of inventory_change). NEW accounts are only awaited; they give no access.
 *
 * `after` leaves out most of the periods that were gone by then, with the partitions that hold no others: nobody learns
 * of an end before it comes (ended_at >= gone_by). It must not be later than `known`.
 */
export const accountStates = (
  org: Org,
  known: RawBuilder<unknown> = NOW,
  after: RawBuilder<unknown> | null = null,
): RawBuilder<unknown> => sql`(
  select a.org_id, a.id as account_id, a.app_id, a.resource_type_id, a.external_id, a.email, a.username, a.first_name,
    a.last_name, a.display_name, a.status, a.given, a.not_before, a.since,
    ${openSeenUntil(org, known, { appId: sql`a.app_id`, since: sql`a.since`, taskedAt: sql`a.tasked_at` })}
      as seen_until,
    null::timestamptz as gone_by, coalesce(a.known_from, a.since) as known_from, a.change_id as began_by,
    null::uuid as ended_by
  from account a
  where a.org_id = ${org.orgId} and a.removed_at is null and (a.status <> 'INACTIVE' or a.external_id is not null)
    and coalesce(a.known_from, a.since) <= ${known}
  union all
  select p.org_id, p.account_id, p.app_id, p.resource_type_id, p.external_id, p.email, p.username, p.first_name,
    p.last_name, p.display_name, p.status, p.given, ${endedColumns(org, known)}
  from account_period p
  where ${endedCondition(org, known, after)})`;

/**
 * The periods in which accounts held groups and licenses, as known at `known`. Columns: org_id, account_id,
 * entitlement_id, app_id, not_before, since, seen_until, gone_by, known_from, began_by, ended_by, via_id (what gives it),
 * via_since (null: it always did), given (false: found, D73). The parameters and the bounds are those of accountStates.
 */
export const membershipPeriods = (
  org: Org,
  known: RawBuilder<unknown> = NOW,
  after: RawBuilder<unknown> | null = null,
): RawBuilder<unknown> => sql`(
  select m.org_id, m.account_id, m.entitlement_id, e.app_id, m.not_before, m.granted_at as since,
    ${openSeenUntil(org, known, { appId: sql`e.app_id`, since: sql`m.granted_at`, taskedAt: sql`m.tasked_at`, seenUntil: sql`m.seen_until` })}
      as seen_until,
    null::timestamptz as gone_by, coalesce(m.known_from, m.granted_at) as known_from, m.change_id as began_by,
    null::uuid as ended_by, m.via_id, m.via_since, m.given
  from membership m join entitlement e on e.org_id = m.org_id and e.id = m.entitlement_id
  where m.org_id = ${org.orgId} and coalesce(m.known_from, m.granted_at) <= ${known}
  union all
  select p.org_id, p.account_id, p.entitlement_id, p.app_id, ${endedColumns(org, known)}, p.via_id, p.via_since, p.given
  from membership_period p
  where ${endedCondition(org, known, after)})`;

/**
 * The periods in which groups and licenses existed with the same name, as known at `known`. Columns: org_id,
 * entitlement_id, app_id, name, not_before, since, seen_until, gone_by, known_from, began_by, ended_by. The parameters and
 * the bounds are those of accountStates.
 */
export const entitlementStates = (
  org: Org,
  known: RawBuilder<unknown> = NOW,
  after: RawBuilder<unknown> | null = null,
): RawBuilder<unknown> => sql`(
  select e.org_id, e.id as entitlement_id, e.app_id, e.name, e.not_before, e.since,
    ${entitlementSeenUntil(org, known)} as seen_until,
    null::timestamptz as gone_by, coalesce(e.known_from, e.since) as known_from, e.change_id as began_by,
    null::uuid as ended_by
  from entitlement e
  where e.org_id = ${org.orgId} and e.active and coalesce(e.known_from, e.since) <= ${known}
  union all
  select p.org_id, p.entitlement_id, p.app_id, p.name, ${endedColumns(org, known)}
  from entitlement_period p
  where ${endedCondition(org, known, after)})`;

const column = (alias: string, name: string) => sql.ref(`${alias}.${name}`);

/** Whether the state or membership with this alias certainly existed at the time `at`. */
export const isCertain = (alias: string, at: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  ${column(alias, 'since')} <= ${at} and ${at} <= ${column(alias, 'seen_until')}
  and (${column(alias, 'gone_by')} is null or ${at} < ${column(alias, 'gone_by')}))`;

/** Whether the state or membership with this alias may have existed at the time `at`. True for certain ones, too. */
export const isPossible = (alias: string, at: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  (${column(alias, 'since')} <= ${at} or ${column(alias, 'not_before')} is null
    or ${column(alias, 'not_before')} < ${at})
  and (${column(alias, 'gone_by')} is null or ${at} < ${column(alias, 'gone_by')}))`;

/**
 * Whether the membership with this alias may have begun by the time `at`. Every possible one has; an index finds those of a group or
 * license.
 */
export const mayHaveBegun = (alias: string, at: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`(
  least(coalesce(${column(alias, 'not_before')}, '-infinity'), ${column(alias, 'since')}) <= ${at})`;
