import type { OrgTx } from '#kit/database.ts';
import { affected, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import { forgetDigests } from '../../accounts/queries/digests.ts';
import { countBegun, countEnded } from '../../accounts/queries/member-counts.ts';
import type { Change } from '../../history/change.ts';
import {
  beginningOf,
  columnOf,
  endedMembership,
  keepMemberships,
  selectNewMemberships,
} from '../../history/queries/periods.ts';
import type {
  addedMembership,
  droppedMembership,
  pushedAccount,
  pushedMembership,
  Scope,
  StartedAt,
  stagedReference,
  unreadableEntitlement,
} from '../relations.ts';
import { isStagedEntitlement, isUnreadable } from './entitlements.ts';
import { insertInto, rowsOf } from './relations.ts';

export const selectPushedMemberships = (
  scope: Scope,
  accounts: typeof pushedAccount,
  references: typeof stagedReference,
): RawBuilder<unknown> => sql`
  select p.account_id, e.id, v.id
  from ${rowsOf(scope, references)} s
  join ${rowsOf(scope, accounts)} p on p.page = s.page and p.place = s.place
  join entitlement e on ${isStagedEntitlement(scope)}
  left join entitlement v on v.org_id = ${scope.orgId} and v.app_id = ${scope.appId}
    and v.resource_type_id = s.via_type_id and v.external_id = s.via_external_id`;

/**
 * Inserts the pushed memberships that the app does not have, all if `isFirst`. Adds them to `added` if it is not null, and returns their
 * number. In the order of the key, which the accounts of a first sync continue, the insertion takes two thirds of the time.
 */
export async function insertMemberships(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  pushed: typeof pushedMembership,
  { added, isFirst }: { added: typeof addedMembership | null; isFirst: boolean },
): Promise<number> {
  const columns = sql`org_id, account_id, entitlement_id, granted_at, not_before, change_id, via_id`;
  const all = sql`
    select ${scope.orgId}::uuid, n.account_id, n.entitlement_id, ${beginningOf(change)}, n.via_id
    from ${rowsOf(scope, pushed)} n`;
  const unknown = sql`
    select s.account_id, s.entitlement_id, s.via_id from ${rowsOf(scope, pushed)} s
    where not exists (
      select from membership m
      where m.org_id = ${scope.orgId} and m.account_id = s.account_id and m.entitlement_id = s.entitlement_id)`;
  const inserted = sql`
    with inserted as (
      insert into membership (${columns})
      ${isFirst ? all : selectNewMemberships(change, scope.appId, unknown)} order by n.account_id, n.entitlement_id
      returning account_id, entitlement_id
    ), counted as (${countBegun(scope, sql`inserted`)})`;
  if (added === null) {
    return value<number>(tx)`${inserted} select count(*) as n from inserted`;
  }
  return affected(tx)`
    ${inserted} ${insertInto(scope, added, sql`select account_id, entitlement_id from inserted`)}`;
}

/**
 * Forgets that a task granted the pushed memberships, and that an earlier session did not see them: later removals
 * treat them like any other (D16). Notes what gives them now, which neither ends nor begins a membership (D68).
 */
export const confirmMemberships = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  pushed: typeof pushedMembership,
) => run(tx)`
    update membership m set tasked_at = null, seen_until = null, via_id = s.via_id,
      via_since = case when m.via_id is distinct from s.via_id then ${columnOf(change, 'at')} else m.via_since end,
      via_before = case when m.via_id is distinct from s.via_id then m.via_id else m.via_before end,
      via_change_id = case when m.via_id is distinct from s.via_id then ${change.id}::uuid else m.via_change_id end
    from ${rowsOf(scope, pushed)} s
    where m.org_id = ${scope.orgId}
      and (m.tasked_at is not null or m.seen_until is not null or m.via_id is distinct from s.via_id)
      and m.account_id = s.account_id and m.entitlement_id = s.entitlement_id`;

/**
 * Selects the accounts that the session did not push and that stay, because a task has touched them since it started
 * (D16).
 */
export const selectSparedAccounts = (
  scope: Scope,
  pushed: typeof pushedAccount,
  startedAt: StartedAt,
): RawBuilder<unknown> => sql`
  select a.id as account_id from account a
  where a.org_id = ${scope.orgId} and a.app_id = ${scope.appId} and a.removed_at is null
    and a.tasked_at > ${startedAt} and not exists (select from ${rowsOf(scope, pushed)} p where p.account_id = a.id)`;

/**
 * Keeps when the memberships of accounts were last seen that a completed session did not see: `seen_until` holds that
 * time until a sync confirms or removes them. Without it, the session would count as their last sighting.
 */
export const keepSightings = (
  tx: OrgTx,
  { orgId }: Scope,
  change: Change,
  accounts: RawBuilder<unknown>,
) => run(tx)`
    with marked as (
      update membership m set seen_until = greatest(m.granted_at, x.seen_until)
      from (${accounts}) spared, inventory_change x
      where x.org_id = ${orgId} and x.id = ${change.id}
        and m.org_id = x.org_id and m.account_id = spared.account_id and m.seen_until is null
      returning m.account_id
    )
    ${forgetDigests({ orgId }, sql`select account_id from marked`)}`;

interface Pushed {
  accounts: typeof pushedAccount;
  memberships: typeof pushedMembership;
}

/**
 * Selects the memberships that pushed accounts no longer have, except those that a task has granted since (D16), and those of
 * `unreadable` (D81).
 */
export const selectDroppedMemberships = (
  scope: Scope,
  pushed: Pushed,
  startedAt: StartedAt,
  unreadable: typeof unreadableEntitlement | null,
): RawBuilder<unknown> => sql`
  ${selectMissing(scope, pushed, startedAt)} and not ${isUnreadable(scope, unreadable, sql`m.entitlement_id`)}`;

/** Selects the memberships of `unreadable` among them: they stay. */
export const selectKeptMemberships = (
  scope: Scope,
  pushed: Pushed,
  startedAt: StartedAt,
  unreadable: typeof unreadableEntitlement,
): RawBuilder<unknown> => sql`
  ${selectMissing(scope, pushed, startedAt)} and ${isUnreadable(scope, unreadable, sql`m.entitlement_id`)}`;

const selectMissing = (scope: Scope, pushed: Pushed, startedAt: StartedAt): RawBuilder<unknown> => sql`
  select m.account_id, m.entitlement_id
  from ${rowsOf(scope, pushed.accounts)} p
  join membership m on m.org_id = ${scope.orgId} and m.account_id = p.account_id
  where not p.unchanged and (m.tasked_at is null or m.tasked_at <= ${startedAt})
    and not exists (
      select from ${rowsOf(scope, pushed.memberships)} s
      where s.account_id = m.account_id and s.entitlement_id = m.entitlement_id)`;

export const deleteMemberships = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  dropped: typeof droppedMembership,
) => run(tx)`
    with dropped as (
      delete from membership m using ${rowsOf(scope, dropped)} d
      where m.org_id = ${scope.orgId} and m.account_id = d.account_id and m.entitlement_id = d.entitlement_id
      returning ${endedMembership}
    ), counted as (${countEnded(scope, sql`dropped`)}
    )
    ${keepMemberships(change, sql`dropped`)}`;

/** Counts the memberships of all accounts of the app. */
export const countMemberships = (tx: OrgTx, { orgId, appId }: Scope) => value<number>(tx)`
    select count(*) as n from account a join membership m on m.org_id = a.org_id and m.account_id = a.id
    where a.org_id = ${orgId} and a.app_id = ${appId}`;
