import type { OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import type { keptMembership, pushedAccount, Scope, stagedEntitlement } from '../relations.ts';
import { isStagedEntitlement } from './entitlements.ts';
import { rowsOf } from './relations.ts';

/** Records that the session's connector may not read (D81). `external_id` is null for records of a resource type. */
const entries = ({ orgId, sessionId }: Scope) => sql`(
  select t.id as resource_type_id, t.type, u.id collate "C" as external_id
  from sync_session s
  join app p on p.org_id = s.org_id and p.id = s.app_id
  cross join lateral jsonb_to_recordset(s.unreadable) as u (slug text, id text)
  join resource_type t on t.org_id = s.org_id and t.clone_group_id = p.clone_group_id and t.slug = u.slug
  where s.org_id = ${orgId} and s.id = ${sessionId})`;

/** Returns whether anything is unreadable, and the account types of which some accounts are. */
export async function unreadableTypes(
  tx: OrgTx,
  scope: Scope,
): Promise<{ any: boolean; accounts: string[] }> {
  const rows = await many<{ any: boolean; accounts: string[] }>(tx)`
    select count(*) > 0 as any, coalesce(array_agg(distinct resource_type_id::text) filter (where type = 'account'), '{}') as accounts
    from ${entries(scope)} u`;
  return rows[0] as { any: boolean; accounts: string[] };
}

/**
 * Selects the groups and licenses with members that may not be read. Among the records of a resource type of which some may not be
 * read, these are the ones that were not pushed.
 */
export const selectUnreadable = (scope: Scope, staged: typeof stagedEntitlement): RawBuilder<unknown> => sql`
  select e.id from ${entries(scope)} u
  join entitlement e on e.org_id = ${scope.orgId} and e.app_id = ${scope.appId}
    and e.resource_type_id = u.resource_type_id and e.external_id = u.external_id
  union
  select e.id from entitlement e
  where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId}
    and e.resource_type_id in (select u.resource_type_id from ${entries(scope)} u where u.external_id is null)
    and not exists (select from ${rowsOf(scope, staged)} s where s.pushed and ${isStagedEntitlement(scope)})`;

/** Keeps when memberships were last seen, which the session could not see (keepSightings). */
export const keepMemberSightings = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  kept: typeof keptMembership,
) => run(tx)`
    update membership m set seen_until = greatest(m.granted_at, x.seen_until)
    from ${rowsOf(scope, kept)} k, inventory_change x
    where x.org_id = ${scope.orgId} and x.id = ${change.id} and m.org_id = x.org_id
      and m.account_id = k.account_id and m.entitlement_id = k.entitlement_id and m.seen_until is null`;

/** Selects the accounts of these types that were not pushed. They stay. */
export const selectUnreadAccounts = (
  scope: Scope,
  pushed: typeof pushedAccount,
  types: readonly string[],
): RawBuilder<unknown> => sql`
  select a.id as account_id from account a
  where a.org_id = ${scope.orgId} and a.app_id = ${scope.appId} and a.resource_type_id = any(${types}::uuid[])
    and a.removed_at is null and not exists (
      select from ${rowsOf(scope, pushed)} p where p.account_id = a.id)`;

/** Keeps when these accounts were last seen: without it, the session would count as their last sighting. A push makes them seen again. */
export const keepAccountSightings = (
  tx: OrgTx,
  { orgId, appId }: Scope,
  change: Change,
  accounts: RawBuilder<unknown>,
) => run(tx)`
    update account a set unseen = true, tasked_at = coalesce(a.tasked_at, greatest(a.since, x.seen_until)),
      seen_at = greatest(a.seen_at, (select p.last_synced_at from app p where p.org_id = ${orgId} and p.id = ${appId}))
    from (${accounts}) unread, inventory_change x
    where x.org_id = ${orgId} and x.id = ${change.id} and a.org_id = x.org_id and a.id = unread.account_id
      and not a.unseen and a.status <> 'NEW' and (a.external_id is not null or a.status <> 'INACTIVE')`;

/** The number of members that the newest publication could not show, of each group and license of the app, by rule. */
export const recordHidden = (
  tx: OrgTx,
  { orgId, appId }: Pick<Scope, 'orgId' | 'appId'>,
  reportId: RawBuilder<unknown>,
) => run(tx)`
    with reported as materialized (
      select e.id, jsonb_object_agg(u.rule, u.count) as hidden
      from sync_session s
      join app p on p.org_id = s.org_id and p.id = s.app_id
      cross join lateral jsonb_to_recordset(s.unseen) as u (slug text, id text, rule text, count bigint)
      join resource_type t on t.org_id = s.org_id and t.clone_group_id = p.clone_group_id and t.slug = u.slug
      join entitlement e on e.org_id = s.org_id and e.app_id = s.app_id and e.resource_type_id = t.id
        and e.external_id = u.id collate "C"
      where s.org_id = ${orgId} and s.id = ${reportId}
      group by e.id
    ), present as (
      select e.id, r.hidden from entitlement e left join reported r on r.id = e.id
      where e.org_id = ${orgId} and e.app_id = ${appId} and (e.hidden is not null or r.id is not null)
        and e.hidden is distinct from r.hidden
    )
    update entitlement e set hidden = n.hidden from present n where e.org_id = ${orgId} and e.id = n.id`;
