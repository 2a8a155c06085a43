import { type OrgTx, timeToInsert } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import { moveHistory } from '../../history/queries/merge.ts';
import {
  beginAbsence,
  beginningOf,
  beginState,
  endedMembership,
  endedState,
  keepMemberships,
  keepStates,
  takeOverState,
} from '../../history/queries/periods.ts';
import type { AccountChange, AccountStatus, MembershipChange } from '../account.ts';
import { countSteps, updatedAccountColumns } from './account-counts.ts';
import { settle } from './correlation.ts';
import { forgetDigest, forgetDigests } from './digests.ts';
import { countBegun, countEnded } from './member-counts.ts';

/*
 * The effects of completed tasks (D25, D26). `tasked_at` protects them from a sync that began earlier (D16). An account that
 * a sync has removed since then stays as it is.
 */

/** Updates accounts, counts them, keeps the ended states and returns the changes. `update` ends with its condition. */
const apply = (tx: OrgTx, change: Change, update: RawBuilder<unknown>) => many<AccountChange>(tx)`
    with changed as (${update} returning new.id as account_id, ${updatedAccountColumns}, ${endedState}),
      counted as (${countSteps(change, sql`changed`)}),
      kept as (${keepStates(change, sql`changed`)}),
      forgotten as (${forgetDigests(change, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to" from changed`;

/** Sets the status of accounts and returns them. Removed ones are left out, and so are NEW ones if the status is SUSPENDED. */
export const applyStatus = (
  tx: OrgTx,
  change: Change,
  accountIds: string[],
  status: AccountStatus,
): Promise<AccountChange[]> =>
  apply(
    tx,
    change,
    sql`
    update account a set status = ${status}, tasked_at = clock_now(),
      ${beginState(change, sql`a.status <> ${status}`)}
    where org_id = ${change.orgId} and id = any(${accountIds}::uuid[]) and removed_at is null
      and not (a.status = 'NEW' and ${status} = 'SUSPENDED')`,
  );

/** Makes a NEW account INVITED. A sync may have seen the account already: then its status stays. */
export const markCreated = (tx: OrgTx, change: Change, accountId: string): Promise<AccountChange[]> =>
  apply(
    tx,
    change,
    sql`
    update account a set status = case when status = 'NEW' then 'INVITED' else status end, tasked_at = clock_now(),
      ${beginState(change, sql`a.status = 'NEW'`)}
    where org_id = ${change.orgId} and id = ${accountId} and removed_at is null`,
  );

/** Stores the external id of a pending account. */
export const storeExternalId = (
  tx: OrgTx,
  change: Change,
  accountId: string,
  externalId: string,
): Promise<AccountChange[]> =>
  apply(
    tx,
    change,
    sql`
    update account a set external_id = ${externalId}, tasked_at = clock_now(),
      ${beginState(change, sql`a.change_id is distinct from ${change.id}::uuid`)}
    where org_id = ${change.orgId} and id = ${accountId} and removed_at is null`,
  );

/**
 * Marks accounts as removed, unless a task is to create them. Returns those that were not removed before. A sync does not write
 * unchanged accounts, so the app's last sync is the last that saw them.
 */
export const markRemoved = (tx: OrgTx, change: Change, accountIds: string[]): Promise<AccountChange[]> =>
  apply(
    tx,
    change,
    sql`
    update account a set status = 'INACTIVE', removed_at = clock_now(), tasked_at = clock_now(),
      seen_at = case when a.seen_at is not null then greatest(a.seen_at, (
        select p.last_synced_at from app p where p.org_id = ${change.orgId} and p.id = a.app_id)) end,
      ${beginAbsence(change)}
    where org_id = ${change.orgId} and id = any(${accountIds}::uuid[]) and removed_at is null and status <> 'NEW'`,
  );

/** Forgets the record of an account that a task is to create, because it is deleted. Returns whether the account is such a one. */
export async function forgetRecord(tx: OrgTx, change: Change, accountId: string): Promise<boolean> {
  const forgotten = await apply(
    tx,
    change,
    sql`
    update account a set external_id = null, tasked_at = clock_now(), ${beginState(change, sql`a.external_id is not null`)}
    where org_id = ${change.orgId} and id = ${accountId} and removed_at is null and status = 'NEW'`,
  );
  await settle(
    tx,
    forgotten.map(({ account_id }) => account_id),
  );
  return forgotten.length > 0;
}

/** An account that a task created, and the one that a sync made of its record. */
export interface Merge {
  account_id: string;
  duplicate_id: string;
}

/**
 * Merges duplicates into accounts that tasks created: a sync pushed the new account without showing whose it is. The account takes
 * over the external id, the status that the sync saw, the memberships and the history; the next sync brings its names. The duplicate is
 * removed. Returns the changes of the duplicates that were not removed before, and those of the accounts.
 */
export async function mergeDuplicates(
  tx: OrgTx,
  change: Change,
  merges: readonly Merge[],
): Promise<{ removed: AccountChange[]; correlated: AccountChange[] }> {
  const { orgId } = change;
  const pairs = sql`unnest(${merges.map((one) => one.account_id)}::uuid[], ${merges.map((one) => one.duplicate_id)}::uuid[])
    as m (account_id, duplicate_id)`;
  const rows = await many<AccountChange & { was: Record<string, unknown>; was_removed: boolean }>(tx)`
    with changed as (
      update account a set status = 'INACTIVE', external_id = null,
        removed_at = least(removed_at, clock_now()), ${beginAbsence(change)}
      from ${pairs}
      where a.org_id = ${orgId} and a.id = m.duplicate_id
      returning new.id as account_id, old.removed_at is not null as was_removed, m.account_id as kept_id,
        old.resource_type_id as given_type_id, old.external_id as given_id, old.seen_at as given_seen_at,
        ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps({ orgId }, sql`changed`)}
    ), kept as (${keepStates(change, sql`changed`, { retracted: true })}
    ), forgotten as (${forgetDigests({ orgId }, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to", was_removed,
      jsonb_build_object('account_id', kept_id, 'duplicate_id', account_id, 'resource_type_id', given_type_id,
        'external_id', given_id, 'status', old_status, 'seen_at', given_seen_at) as was
    from changed`;
  const given = (removed: boolean) => sql`
    jsonb_to_recordset(${JSON.stringify(rows.filter((one) => one.was_removed === removed).map(({ was }) => was))}::jsonb)
      as g (account_id uuid, duplicate_id uuid, resource_type_id uuid, external_id text, status text, seen_at timestamptz)`;
  const returned = await apply(
    tx,
    change,
    sql`
    update account a set external_id = g.external_id, seen_at = g.seen_at,
      ${beginState(change, sql`a.change_id is distinct from ${change.id}::uuid`)}
    from ${given(true)} where a.org_id = ${orgId} and a.id = g.account_id`,
  );
  const correlated = await apply(
    tx,
    change,
    sql`
    update account a set resource_type_id = g.resource_type_id, external_id = g.external_id, status = g.status,
      seen_at = g.seen_at, ${takeOverState(change, sql`g.duplicate_id`)}
    from ${given(false)} where a.org_id = ${orgId} and a.id = g.account_id`,
  );
  await run(tx)`
    with inserted as (
      insert into membership (org_id, account_id, entitlement_id, granted_at, tasked_at, seen_until, not_before, change_id, known_from,
        via_id, via_since, given)
      select d.org_id, m.account_id, d.entitlement_id, d.granted_at, d.tasked_at, d.seen_until, d.not_before, d.change_id, x.at,
        d.via_id, d.via_since, d.given
      from ${pairs} join membership d on d.org_id = ${orgId} and d.account_id = m.duplicate_id
      join inventory_change x on x.org_id = d.org_id and x.id = ${change.id} on conflict do nothing
      returning entitlement_id
    )
    ${countBegun({ orgId }, sql`inserted`)}`;
  const duplicates = merges.map(({ duplicate_id }) => duplicate_id);
  await run(tx)`
    with moved as (
      delete from membership where org_id = ${orgId} and account_id = any(${duplicates}::uuid[]) returning ${endedMembership}
    ), counted as (${countEnded({ orgId }, sql`moved`)})
    ${keepMemberships(change, sql`moved`, { retracted: true })}`;
  await moveDetails(tx, orgId, pairs);
  await moveHistory(tx, change, pairs);
  const changes = rows.map(({ account_id, from, to }) => ({ account_id, from, to }));
  return {
    removed: changes.filter((_, i) => rows[i]?.was_removed === false),
    correlated: [...returned, ...correlated],
  };
}

/**
 * Moves the details that the app reports about duplicates, and the people responsible for them. A pending account has no
 * details.
 */
async function moveDetails(tx: OrgTx, orgId: string, pairs: RawBuilder<unknown>): Promise<void> {
  const isMerged = sql`d.org_id = ${orgId} and d.account_id = m.duplicate_id`;
  const isOwn = sql`d.org_id = ${orgId} and d.account_id = m.account_id`;
  await run(tx)`delete from account_detail d using ${pairs} where ${isOwn}`;
  await run(tx)`update account_detail d set account_id = m.account_id from ${pairs} where ${isMerged}`;
  await run(tx)`delete from account_owner d using ${pairs} where ${isOwn}`;
  await run(tx)`update account_owner d set account_id = m.account_id from ${pairs} where ${isMerged}`;
}

/** Grants groups and licenses to an account. Returns those that it did not hold before. */
export async function grantMemberships(
  tx: OrgTx,
  change: Change,
  accountId: string,
  entitlementIds: string[],
): Promise<MembershipChange[]> {
  if (entitlementIds.length === 0) return [];
  await forgetDigest(tx, accountId);
  const now = await timeToInsert(tx);
  return many<MembershipChange>(tx)`
    with granted as (
      insert into membership (org_id, account_id, entitlement_id, granted_at, not_before, change_id, tasked_at, given)
      select a.org_id, a.id, e.id, ${beginningOf(change)}, ${now}, true
      from unnest(${entitlementIds}::uuid[]) as e (id)
      join account a on a.org_id = ${change.orgId} and a.id = ${accountId} and a.removed_at is null
      on conflict (org_id, account_id, entitlement_id) do update set tasked_at = excluded.tasked_at, via_id = null,
        via_since = case when membership.via_id is null then membership.via_since else excluded.granted_at end
      returning account_id, entitlement_id, old.entitlement_id is null as added
    ), counted as (${countBegun(change, sql`(select entitlement_id from granted where added) as inserted`)})
    select account_id, entitlement_id from granted where added`;
}

/** Revokes groups and licenses of an account. Returns those that it held. */
export async function revokeMemberships(
  tx: OrgTx,
  change: Change,
  accountId: string,
  entitlementIds: string[],
): Promise<MembershipChange[]> {
  if (entitlementIds.length === 0) return [];
  await forgetDigest(tx, accountId);
  return many<MembershipChange>(tx)`
    with lost as (
      delete from membership
      where org_id = ${change.orgId} and account_id = ${accountId} and entitlement_id = any(${entitlementIds}::uuid[])
      returning ${endedMembership}
    ), kept as (${keepMemberships(change, sql`lost`)}
    ), counted as (${countEnded(change, sql`lost`)})
    select was_account_id as account_id, was_entitlement_id as entitlement_id from lost`;
}

/** A group or license, as events and tasks show it. */
export interface NamedEntitlement {
  entitlement_id: string;
  type: 'group' | 'license';
  slug: string;
  /** The external id. */
  id: string;
  name: string;
}

/** Revokes all groups and licenses of an account. Returns those that it held, by slug and external id. */
export async function revokeAllMemberships(
  tx: OrgTx,
  change: Change,
  accountId: string,
): Promise<NamedEntitlement[]> {
  const { orgId } = change;
  await forgetDigest(tx, accountId);
  return many<NamedEntitlement>(tx)`
    with lost as (
      delete from membership where org_id = ${orgId} and account_id = ${accountId}
      returning entitlement_id, ${endedMembership}
    ), kept as (${keepMemberships(change, sql`lost`)}
    ), counted as (${countEnded(change, sql`lost`)})
    select e.id as entitlement_id, r.type, r.slug, e.external_id as id, e.name
    from lost
    join entitlement e on e.org_id = ${orgId} and e.id = lost.entitlement_id
    join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id
    order by r.slug, e.external_id`;
}
