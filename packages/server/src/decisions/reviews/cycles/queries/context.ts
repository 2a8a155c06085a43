import { hasLeft } from '#directory/people/facts.ts';
import {
  accountDetails,
  accountOwners,
  accounts,
  entitlements,
  holds,
  isUsable,
  memberships,
  observedApps,
  sourceIdOf,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { personJson } from '#kit/identity.ts';
import { isoTime, many, sql } from '#kit/sql.ts';
import { grantsIn } from '#reasons/grants/facts.ts';
import { isReviewedBy, type ReviewingPerson } from '../../reviewers/queries/reviewing.ts';
import type { ItemContext, PriorDecision } from '../context-schemas.ts';
import type { ItemState } from '../deviations.ts';
import { isKeptByItsOwn } from '../own-facts.ts';
import type { Peers } from '../recommend.ts';

/** An item with the facts that its list does not have, and those by which it deviates. */
export interface Facts extends ItemState {
  id: string;
  since: Date;
  /** Whether a sync found it, and the grants in force. */
  found: boolean;
  grants: ItemContext['granted']['grants'];
  /** The description of the group or license. */
  description: string | null;
}

/** The person who decided grant `held`, and its beginning, as JSON. */
const decidedBy = (
  org: Org,
) => sql`jsonb_build_object('starts_at', ${isoTime(sql`held.starts_at`)}, 'decided_by', (
  select ${personJson('u')} from platform_user u where u.org_id = ${org.orgId} and u.id = held.decided_by))`;

/** Returns those of these items that the person reviews, or those that exist if `reviewer` is null. */
export const factsOf = (
  db: OrgDb,
  cycleId: string,
  ids: string[],
  reviewer: ReviewingPerson | null,
) => many<Facts>(db)`
    select i.id, i.decision, i.since,
      not coalesce(held.given, m.given, a.given) as found,
      ${grantsIn(db, { account: 'a', entitlementId: sql`case when i.entitlement_id is not null then coalesce(s.id, i.entitlement_id) end`, more: decidedBy(db) })} as grants,
      coalesce(${hasLeft('u')}, false) as person_left,
      case when i.app_id = any(${observedApps(db, null)})
        then (extract(epoch from clock_now() - coalesce(d.last_sign_in_at, a.created_at)) / 86400)::integer
        end as unused_days,
      e.description, e.risk, a.status as account_status, i.last_seen_at, ${isKeptByItsOwn(db)} as own_afterwards,
      a.user_id is null and not exists (
        select from ${accountOwners} o where o.org_id = ${db.orgId} and o.account_id = i.account_id and o.owner_id is not null) as orphaned
    from review_item i
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = i.account_id
    left join ${memberships} m on m.org_id = ${db.orgId} and m.account_id = i.account_id and m.entitlement_id = i.entitlement_id
    left join lateral (select ${sourceIdOf(db, 'm')} as id) s on true
    left join ${memberships} held on held.org_id = ${db.orgId} and held.account_id = i.account_id and held.entitlement_id = s.id
    left join ${accountDetails} d on d.org_id = ${db.orgId} and d.account_id = i.account_id
    left join ${entitlements} e on e.org_id = ${db.orgId} and e.id = i.entitlement_id
    left join platform_user u on u.org_id = ${db.orgId} and u.id = i.user_id
    where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.id = any(${ids}::uuid[])
      and ${reviewer === null ? sql`true` : isReviewedBy(db, reviewer)}
    order by i.id`;

const PEERS_AT_LEAST = 3;

/**
 * Counts the peers of each item's person, and those who have the same access. Peers are all active people with the same
 * manager, department or title, whether they have an account in the app or not. Groups of fewer than 3 are left out: their
 * numbers would say who has the access. Reads each group and each entitlement once, not once for each item.
 */
export async function peersOf(
  db: OrgDb,
  cycleId: string,
  ids: string[],
): Promise<(Peers & { item: string })[]> {
  const groupsOf = (person: string) => {
    const column = (name: string) => sql.ref(`${person}.${name}`);
    return sql`(values ('manager', ${column('manager_id')}::text),
      ('department', nullif(${column('attributes')} ->> 'department', '')),
      ('title', nullif(${column('attributes')} ->> 'title', ''))) as g ("group", value)`;
  };
  return many<Peers & { item: string }>(db)`
    with wanted as materialized (
      select i.id, i.app_id, i.entitlement_id, coalesce(i.entitlement_id, i.app_id) as target, i.user_id, g."group", g.value,
        (u.status = 'active')::integer as self
      from review_item i
      join platform_user u on u.org_id = ${db.orgId} and u.id = i.user_id
      cross join lateral ${groupsOf('u')}
      where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.id = any(${ids}::uuid[]) and g.value is not null
    ), member as materialized (
      select p.id, g."group", g.value
      from platform_user p cross join lateral ${groupsOf('p')}
      where p.org_id = ${db.orgId} and p.status = 'active' and (g."group", g.value) in (select w."group", w.value from wanted w)
    ), holder as materialized (
      select distinct w.target, a.user_id
      from (select distinct app_id, entitlement_id, target from wanted) w
      join ${accounts} a on a.org_id = ${db.orgId} and a.app_id = w.app_id and a.user_id in (select m.id from member m)
      where ${isUsable('a')} and (w.entitlement_id is null or ${holds(sql`${db.orgId}`, sql`a.id`, sql`w.entitlement_id`)})
    ), size as (
      select m."group", m.value, count(*) as n from member m group by 1, 2
    ), having_it as (
      select m."group", m.value, h.target, count(*) as n
      from member m join holder h on h.user_id = m.id group by 1, 2, 3
    ), counted as (
      select w.id, w."group", w.value, size.n - w.self as "of",
        coalesce(had.n, 0) - case when own.user_id is null then 0 else w.self end as have
      from wanted w
      join size on size."group" = w."group" and size.value = w.value
      left join having_it had on had."group" = w."group" and had.value = w.value and had.target = w.target
      left join holder own on own.user_id = w.user_id and own.target = w.target
    )
    select id as item, "group", case when "group" <> 'manager' then value end as name, "of"::integer, have::integer
    from counted where "of" >= ${PEERS_AT_LEAST}
    order by id, array_position(array['manager', 'department', 'title'], "group")`;
}

/** An earlier decision on the same account and entitlement. */
const CYCLES = 20;

/** Returns the decisions of the latest 20 other cycles, newest first, made before the item's own decision. */
export const priorDecisions = (db: OrgDb, cycleId: string, ids: string[]) => many<
  PriorDecision & { item: string }
>(db)`
    with wanted as materialized (
      select i.id, i.account_id, i.entitlement_id, i.decided_at from review_item i
      where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.id = any(${ids}::uuid[])
    ), cycle as materialized (
      select y.id, y.settings ->> 'name' as name from review_cycle y
      where y.org_id = ${db.orgId} and y.id <> ${cycleId} and y.opened_at is not null
      order by y.opened_at desc, y.id desc limit ${CYCLES}
    )
    select w.id as item, y.name as campaign, y.id as cycle_id, o.decision, o.decided_at,
      case when u.id is not null then ${personJson('u')} end as decided_by
    from wanted w cross join cycle y
    join review_item o on o.org_id = ${db.orgId} and o.cycle_id = y.id and o.account_id = w.account_id
      and (o.entitlement_id = w.entitlement_id or (o.entitlement_id is null and w.entitlement_id is null))
      and o.decision is not null and (w.decided_at is null or o.decided_at < w.decided_at)
    left join platform_user u on u.org_id = ${db.orgId} and u.id = o.decided_by
    order by w.id, o.decided_at desc, y.id`;
