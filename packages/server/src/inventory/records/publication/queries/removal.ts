import type { OrgTx } from '#kit/database.ts';
import { affected, many, one, type RawBuilder, sql, value } from '#kit/sql.ts';
import { countSteps, updatedAccountColumns } from '../../accounts/queries/account-counts.ts';
import { forgetDigests } from '../../accounts/queries/digests.ts';
import { countEnded } from '../../accounts/queries/member-counts.ts';
import type { Change } from '../../history/change.ts';
import {
  beginEntitlementAbsence,
  endedEntitlement,
  keepEntitlements,
} from '../../history/queries/entitlement-periods.ts';
import {
  beginAbsence,
  beginState,
  endedMembership,
  endedState,
  keepMemberships,
  keepStates,
} from '../../history/queries/periods.ts';
import type { removedAccount, removedMembership, Scope, StartedAt } from '../relations.ts';
import { insertInto, rowsOf } from './relations.ts';

/** The records that a completed session makes stale, as queries. */
export interface RemovalPlan {
  /** Selects `account_id`. */
  accounts: RawBuilder<unknown>;
  /** Selects `entitlement_id`. */
  entitlements: RawBuilder<unknown>;
  /** Selects `account_id` and `entitlement_id`. */
  memberships: RawBuilder<unknown>;
  /** Selects `account_id` and the `status` that ends its access. The account stays. */
  ended: RawBuilder<unknown>;
  startedAt: StartedAt;
  /** The end of the app's previous sync: unchanged accounts were last seen then. */
  lastSyncedAt: Date | null;
}

/** The records that a plan removes, as queries. */
export type Removal = Omit<RemovalPlan, 'startedAt' | 'lastSyncedAt'>;

/** Counts the app's accounts with access: INVITED, ACTIVE and SUSPENDED ones. */
export const countActiveAccounts = (tx: OrgTx, { orgId, appId }: Scope) => value<number>(tx)`
    select coalesce(sum(n), 0)::bigint as n from account_count
    where org_id = ${orgId} and app_id = ${appId} and status in ('INVITED', 'ACTIVE', 'SUSPENDED')`;

/** Counts the accounts with access among `accounts`, and the memberships of all of them. */
export async function countAccess(
  tx: OrgTx,
  { orgId }: Scope,
  accounts: RawBuilder<unknown>,
): Promise<{ accounts: number; memberships: number }> {
  return (await one<{ accounts: number; memberships: number }>(tx)`
    select
      (select count(*) from (${accounts}) r join account a on a.org_id = ${orgId} and a.id = r.account_id
        where a.status in ('INVITED', 'ACTIVE', 'SUSPENDED')) as accounts,
      (select count(*) from (${accounts}) r join membership m on m.org_id = ${orgId} and m.account_id = r.account_id)
        as memberships`) as { accounts: number; memberships: number };
}

/** Whether a planned removal still takes account `a`: it exists, is not NEW, and no task has touched it since (D16). */
const mayRemoveAccount = (startedAt: StartedAt) => sql<boolean>`(
  a.removed_at is null and a.status <> 'NEW' and (a.tasked_at is null or a.tasked_at <= ${startedAt}))`;

/** Whether it still takes entitlement `e`: no task has granted it to an account since. */
const mayRemoveEntitlement = (orgId: string, startedAt: StartedAt) => sql<boolean>`(
  e.active and not exists (
    select from membership m where m.org_id = ${orgId} and m.entitlement_id = e.id and m.tasked_at > ${startedAt}))`;

/** Whether it still takes membership `m` of an account that stays. */
const mayRemoveMembership = (startedAt: StartedAt) => sql<boolean>`(
  m.tasked_at is null or m.tasked_at <= ${startedAt})`;

/** Selects the planned accounts that still exist after the removal. */
export const selectKeptAccounts = (
  { orgId }: Scope,
  { accounts }: Pick<RemovalPlan, 'accounts'>,
): RawBuilder<unknown> => sql`
  select a.id as account_id from (${accounts}) r
  join account a on a.org_id = ${orgId} and a.id = r.account_id and a.removed_at is null`;

/**
 * Marks the planned accounts inactive and adds them to `removed`. Returns their number and the ids of those that
 * never had an external id.
 */
export async function deactivateAccounts(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { accounts, startedAt, lastSyncedAt }: Pick<RemovalPlan, 'accounts' | 'startedAt' | 'lastSyncedAt'>,
  removed: typeof removedAccount,
): Promise<{ count: number; neverKnown: string[] }> {
  const rows = await many<{ count: number; never_known: string[] }>(tx)`
    with removed as (
      update account a set status = 'INACTIVE', removed_at = now(), ${beginAbsence(change)},
        seen_at = case when a.unseen then a.seen_at else greatest(a.seen_at, ${lastSyncedAt}::timestamptz) end, unseen = false
      from (${accounts}) r
      where a.org_id = ${scope.orgId} and a.id = r.account_id and ${mayRemoveAccount(startedAt)}
      returning a.id, a.external_id, ${updatedAccountColumns}, ${endedState}
    ), ended as (${keepStates(change, sql`removed`)}
    ), forgotten as (${forgetDigests(scope, sql`select id from removed`)}
    ), counted as (
      ${countSteps(scope, sql`removed`)}
    ), kept as (
      ${insertInto(scope, removed, sql`select id, old_status, new_status from removed`)}
    )
    select count(*) as count, coalesce(array_agg(id) filter (where external_id is null), '{}') as never_known
    from removed`;
  const { count, never_known: neverKnown } = rows[0] as { count: number; never_known: string[] };
  return { count, neverKnown };
}

/** Whether a planned status still ends the access of account `a`: it has access, and no task has touched it since. */
const mayEndAccess = (startedAt: StartedAt) => sql<boolean>`(
  a.status in ('INVITED', 'ACTIVE') and ${mayRemoveAccount(startedAt)})`;

/** Gives the planned accounts the statuses that end their access, and adds them to `removed`. */
export async function endAccess(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { ended, startedAt }: Pick<RemovalPlan, 'ended' | 'startedAt'>,
  removed: typeof removedAccount,
): Promise<{ suspended: number; inactive: number }> {
  return (await one<{ suspended: number; inactive: number }>(tx)`
    with ended as (
      update account a set status = r.status, ${beginState(change, sql`true`)}
      from (${ended}) r
      where a.org_id = ${scope.orgId} and a.id = r.account_id and ${mayEndAccess(startedAt)}
      returning a.id, ${updatedAccountColumns}, ${endedState}
    ), past as (${keepStates(change, sql`ended`)}
    ), forgotten as (${forgetDigests(scope, sql`select id from ended`)}
    ), counted as (
      ${countSteps(scope, sql`ended`)}
    ), kept as (
      ${insertInto(scope, removed, sql`select id, old_status, new_status from ended`)}
    )
    select count(*) filter (where new_status = 'SUSPENDED') as suspended,
      count(*) filter (where new_status = 'INACTIVE') as inactive
    from ended`) as { suspended: number; inactive: number };
}

/** Marks the planned entitlements inactive, except those that a task has granted to an account since. */
export const deactivateEntitlements = (
  tx: OrgTx,
  { orgId }: Scope,
  change: Change,
  { entitlements, startedAt }: Pick<RemovalPlan, 'entitlements' | 'startedAt'>,
) => value<number>(tx)`
    with removed as (
      update entitlement e set active = false, updated_at = now(), ${beginEntitlementAbsence(change)}
      from (${entitlements}) r
      where e.org_id = ${orgId} and e.id = r.entitlement_id and ${mayRemoveEntitlement(orgId, startedAt)}
      returning ${endedEntitlement}
    ), ended as (${keepEntitlements(change, sql`removed`)})
    select count(*) as n from removed`;

/**
 * Deletes the memberships of removed accounts and the planned ones, and adds them to `removed`. Finds them by their keys first: with both
 * conditions in the deletion, PostgreSQL would read all memberships of the organization, even if there is nothing to delete.
 */
export const deleteStaleMemberships = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { memberships, startedAt }: Pick<RemovalPlan, 'memberships' | 'startedAt'>,
  { accounts, removed }: { accounts: typeof removedAccount; removed: typeof removedMembership },
) => affected(tx)`
    with stale as (
      select m.account_id, m.entitlement_id from ${rowsOf(scope, accounts)} r
      join membership m on m.org_id = ${scope.orgId} and m.account_id = r.account_id
      union
      select m.account_id, m.entitlement_id from (${memberships}) r
      join membership m on m.org_id = ${scope.orgId} and m.account_id = r.account_id and m.entitlement_id = r.entitlement_id
      where ${mayRemoveMembership(startedAt)}
    ), removed as (
      delete from membership m using stale s
      where m.org_id = ${scope.orgId} and m.account_id = s.account_id and m.entitlement_id = s.entitlement_id
      returning m.account_id, m.entitlement_id, ${endedMembership}
    ), ended as (${keepMemberships(change, sql`removed`)}
    ), forgotten as (${forgetDigests(scope, sql`select account_id from removed`)}
    ), counted as (${countEnded(scope, sql`removed`)}
    )
    ${insertInto(scope, removed, sql`select account_id, entitlement_id from removed`)}`;

/** The part of a plan that a removal would still take, as queries. Shares its conditions with removeStale. */
export const stillRemovable = ({ orgId }: Scope, plan: Omit<RemovalPlan, 'lastSyncedAt'>): Removal => {
  const accounts = sql`
    select a.id as account_id from (${plan.accounts}) r
    join account a on a.org_id = ${orgId} and a.id = r.account_id
    where ${mayRemoveAccount(plan.startedAt)}`;
  return {
    accounts,
    entitlements: sql`
      select e.id as entitlement_id from (${plan.entitlements}) r
      join entitlement e on e.org_id = ${orgId} and e.id = r.entitlement_id
      where ${mayRemoveEntitlement(orgId, plan.startedAt)}`,
    memberships: sql`
      select m.account_id, m.entitlement_id from (${accounts}) r
      join membership m on m.org_id = ${orgId} and m.account_id = r.account_id
      union
      select m.account_id, m.entitlement_id from (${plan.memberships}) r
      join membership m on m.org_id = ${orgId} and m.account_id = r.account_id and m.entitlement_id = r.entitlement_id
      where ${mayRemoveMembership(plan.startedAt)}`,
    ended: sql`
      select a.id as account_id, r.status from (${plan.ended}) r
      join account a on a.org_id = ${orgId} and a.id = r.account_id
      where ${mayEndAccess(plan.startedAt)}`,
  };
};
