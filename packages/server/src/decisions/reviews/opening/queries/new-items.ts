import { hasLeft } from '#directory/people/facts.ts';
import {
  accountDetails,
  accountOwners,
  accounts,
  entitlements,
  lastSeenAt,
  memberships,
  observedApps,
  sourceIdOf,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { mayDecide, personJson } from '#kit/identity.ts';
import { affected, many, sql } from '#kit/sql.ts';
import { grantsIn } from '#reasons/grants/facts.ts';
import type { ItemKind, Settings } from '../../campaigns/cycle.ts';
import { isIncluded } from '../../campaigns/queries/scope.ts';
import type { ItemState } from '../../cycles/deviations.ts';
import { UNUSED_DAYS } from '../../cycles/recommend.ts';
import type { Opening } from './open.ts';

/** The people of a campaign who can review. */
export interface Reviewing {
  listed: string[];
  fallback: string[];
}

const chosenAccounts = (org: Org, ids: string[]) => sql`chosen as materialized (
      select a.* from unnest(${ids}::uuid[]) as given (id)
      cross join lateral (select * from ${accounts} a where a.org_id = ${org.orgId} and a.id = given.id offset 0) a
    )`;

/** The reviewers of an item of `itemsOf`. People are never reviewers of their own access. */
const reviewersOf = (reviewer: Settings['reviewer'], { listed, fallback }: Reviewing) => sql`
      coalesce(
        nullif(array_remove(array_remove(
          case ${typeof reviewer === 'string' ? reviewer : 'people'}
            when 'manager' then array[manager.id] when 'app_owner' then array[owner.id]
            when 'group_owner' then array[coalesce(group_owner.id, owner.id)]
            when 'account_owner' then case when owned.account_id is null then array[manager.id] else array[holder.id] end
            else ${listed}::uuid[] end,
          null), u.id), '{}'),
        array_remove(${fallback}::uuid[], u.id))`;

/** The accounts with what they have and the people who may review it. */
const itemsOf = (org: Org, scope: Settings['scope']) => sql`
    chosen a
    join app p on p.org_id = ${org.orgId} and p.id = a.app_id
    left join platform_user u on u.org_id = ${org.orgId} and u.id = a.user_id
    left join platform_user manager on manager.org_id = ${org.orgId} and manager.id = u.manager_id and ${mayDecide('manager')}
    left join platform_user owner on owner.org_id = ${org.orgId} and owner.id = p.owner_id and ${mayDecide('owner')}
    left join ${accountOwners} owned on owned.org_id = ${org.orgId} and owned.account_id = a.id
    left join platform_user holder on holder.org_id = ${org.orgId} and holder.id = owned.owner_id and ${mayDecide('holder')}
    cross join lateral (
      select 'account' as kind, null::uuid as entitlement_id, null::jsonb as resource, a.created_at as since,
        null::text as risk, null::uuid as owner_id, null::uuid as source_id, not a.given as found
      where ${scope.include.includes('accounts')}
      union all
      select case e.type when 'group' then 'membership' else 'assignment' end, e.id,
        jsonb_build_object('slug', e.slug, 'id', e.external_id, 'name', e.name), m.granted_at, e.risk, e.owner_id, m.source_id, m.found
      from (
        select m.entitlement_id, m.granted_at, s.id as source_id, not coalesce(held.given, m.given) as found
        from ${memberships} m
        cross join lateral (select ${sourceIdOf(org, 'm')} as id) s
        left join ${memberships} held on held.org_id = ${org.orgId} and held.account_id = m.account_id and held.entitlement_id = s.id
        where m.org_id = ${org.orgId} and m.account_id = a.id offset 0) m
      cross join lateral (
        select * from ${entitlements} e where e.org_id = ${org.orgId} and e.id = m.entitlement_id offset 0) e
      where ${isIncluded(scope)}
    ) had
    left join platform_user group_owner on group_owner.org_id = ${org.orgId} and ${mayDecide('group_owner')}
      and group_owner.id = had.owner_id`;

/** Returns the groups of people who would review items of these accounts, and how many. Empty: nobody was named. */
export const reviewersOfAccounts = (
  db: OrgDb,
  { scope, reviewer }: Settings,
  accountIds: string[],
  people: Reviewing,
) => many<{ reviewers: string[]; items: number }>(db)`
    with ${chosenAccounts(db, accountIds)}
    select reviewers::text[] as reviewers, count(*)::integer as items
    from (select ${reviewersOf(reviewer, people)} as reviewers from ${itemsOf(db, scope)}) as item
    group by reviewers`;

/** An item that a cycle would have, with the number of items that deviate in the same way. */
export interface PossibleItem extends Omit<ItemState, 'decision' | 'own_afterwards'> {
  kind: ItemKind;
  app_id: string;
  app_name: string;
  account: string;
  /** The name of the group or license. */
  resource: string | null;
  user: { external_uuid: string; email: string; name: string } | null;
  reviewers: { external_uuid: string; email: string }[];
  alike: number;
  /** Whether it is the first of those. */
  is_first: boolean;
}

/**
 * Returns items that a cycle would have for these accounts: the first few of each set of items that are in the same state, with the size
 * of the set.
 */
export const possibleItems = (
  db: OrgDb,
  { scope, reviewer }: Settings,
  accountIds: string[],
  { people, limit }: { people: Reviewing; limit: number },
) => many<PossibleItem>(db)`
    with ${chosenAccounts(db, accountIds)}, item as materialized (
      select a.id as account_id, coalesce(nullif(a.email, ''), a.username) as account, had.kind, p.id as app_id, p.name as app_name,
        coalesce(nullif(had.resource ->> 'name', ''), had.resource ->> 'id') as resource,
        u.id as user_id, u.id is null and owned.owner_id is null as orphaned, u.email, trim(u.first_name || ' ' || u.last_name) as name, had.risk, a.status as account_status,
        coalesce(${hasLeft('u')}, false) as person_left, ${lastSeenAt('a', 'p')} as last_seen_at,
        case when p.id = any(${observedApps(db, scope.apps)})
          then (extract(epoch from clock_now() - coalesce(d.last_sign_in_at, a.created_at)) / 86400)::integer end as unused_days,
        ${reviewersOf(reviewer, people)} as reviewers
      from ${itemsOf(db, scope)}
      left join lateral (
        select d.last_sign_in_at from ${accountDetails} d
        where d.org_id = ${db.orgId} and d.account_id = a.id offset 0) d on true
    ), numbered as (
      select item.*, count(*) over alike as alike, row_number() over (alike order by item.account_id, item.kind, item.resource) as n
      from item
      window alike as (partition by item.person_left, item.unused_days >= ${UNUSED_DAYS}, item.risk, item.account_status, item.last_seen_at is null, item.orphaned)
    )
    select i.kind, i.app_id, i.app_name, i.account, i.resource, i.risk, i.account_status, i.person_left, i.unused_days, i.last_seen_at, i.orphaned,
      i.alike::integer, i.n = 1 as is_first,
      case when i.user_id is not null
        then jsonb_build_object('external_uuid', i.user_id, 'email', i.email, 'name', i.name) end as "user",
      coalesce((
        select jsonb_agg(${personJson('r')} order by given.n)
        from unnest(i.reviewers) with ordinality as given (id, n)
        join platform_user r on r.org_id = ${db.orgId} and r.id = given.id), '[]') as reviewers
    from numbered i where i.n <= ${limit}
    order by i.account_id, i.kind, i.resource`;

/**
 * Creates the items of these accounts and their entitlements. Returns how many. `listed` and `fallback` are people who
 * can review. People are never reviewers of their own access.
 */
export async function insertItems(
  tx: OrgTx,
  { id: cycleId, settings: { scope, reviewer } }: Opening,
  accountIds: string[],
  people: Reviewing,
): Promise<number> {
  // Looks up accounts and their entitlements one by one, through their keys. Right after a first sync the planner has no
  // statistics and would otherwise join the whole tables for every chunk; "offset 0" prevents that.
  return affected(tx)`
    insert into review_item (org_id, cycle_id, kind, app_id, app_name, account_id, account_email, account_username, user_id,
      user_email, user_name, entitlement_id, resource, since, grants, found, last_seen_at, reviewers)
    with ${chosenAccounts(tx, accountIds)}
    select ${tx.orgId}::uuid, ${cycleId}::uuid, had.kind, p.id, p.name, a.id, a.email, a.username, u.id,
      u.email, trim(u.first_name || ' ' || u.last_name), had.entitlement_id, had.resource, had.since, ${grantsIn(tx, { account: 'a', entitlementId: sql`had.source_id` })}, had.found,
      ${lastSeenAt('a', 'p')},
      ${reviewersOf(reviewer, people)}
    from ${itemsOf(tx, scope)}
    order by a.id, had.kind, had.resource ->> 'slug', had.resource ->> 'id'`;
}
