import {
  accountOwners,
  accounts,
  entitlements,
  lastSeenAt,
  memberships,
  sourceIdOf,
} from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { affected, many, sql } from '#kit/sql.ts';
import { grantsIn } from '#reasons/grants/facts.ts';
import type { Settings } from '../../campaigns/cycle.ts';
import { isIncluded } from '../../campaigns/queries/scope.ts';
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
        null::uuid as owner_id, null::uuid as source_id, not a.given as found
      where ${scope.include.includes('accounts')}
      union all
      select case e.type when 'group' then 'membership' else 'assignment' end, e.id,
        jsonb_build_object('slug', e.slug, 'id', e.external_id, 'name', e.name), m.granted_at, e.owner_id, m.source_id, m.found
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
