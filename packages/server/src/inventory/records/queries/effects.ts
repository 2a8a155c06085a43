import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../kit/database/open.ts';
import { type OrgTx, within } from '../../../kit/database/organization.ts';
import type { AccountChange, AccountStatus, MembershipChange } from '../account.ts';
import { countSteps, updatedAccountColumns } from '../account-counts-queries.ts';
import type { Change } from '../history/change.ts';
import { moveHistory } from '../history/queries/merge.ts';
import {
  beginAbsence,
  beginningOf,
  beginState,
  endedMembership,
  endedState,
  keepMemberships,
  keepStates,
  takeOverState,
} from '../history/queries/periods.ts';
import { forgetDigest, forgetDigests } from './digests.ts';

/*
 * The effects of completed tasks (D25, D26). `tasked_at` protects them from a sync that began earlier (D16). An account
 * that a sync has removed meanwhile stays as it is.
 */

/** Updates accounts, counts them, keeps the ended states and returns the changes. `update` ends with its condition. */
async function apply(tx: Tx, change: Change, update: RawBuilder<unknown>): Promise<AccountChange[]> {
  const { rows } = await sql<AccountChange>`
    with changed as (${update} returning new.id as account_id, ${updatedAccountColumns}, ${endedState}),
      counted as (${countSteps(change, sql`changed`)}),
      kept as (${keepStates(change, sql`changed`)}),
      forgotten as (${forgetDigests(change, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to" from changed`.execute(tx);
  return rows;
}

/** Sets the status of accounts. Removed accounts are left out of the result. */
export const applyStatus = (
  tx: Tx,
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
    where org_id = ${change.orgId} and id = any(${accountIds}::uuid[]) and removed_at is null`,
  );

/**
 * Makes a NEW account INVITED, and stores its external id if that was unknown. A sync may have seen the account
 * already: then its status stays.
 */
export const markCreated = (
  tx: Tx,
  change: Change,
  accountId: string,
  externalId: string | null,
): Promise<AccountChange[]> =>
  apply(
    tx,
    change,
    sql`
    update account a set status = case when status = 'NEW' then 'INVITED' else status end,
      external_id = coalesce(external_id, ${externalId}), tasked_at = clock_now(),
      ${beginState(change, sql`(a.status = 'NEW' or a.external_id is null and ${externalId}::text is not null)`)}
    where org_id = ${change.orgId} and id = ${accountId} and removed_at is null`,
  );

/**
 * Marks accounts as removed. Returns those that were not removed before. A sync does not write unchanged accounts, so the
 * app's last sync is the last that saw them.
 */
export const markRemoved = (tx: Tx, change: Change, accountIds: string[]): Promise<AccountChange[]> =>
  apply(
    tx,
    change,
    sql`
    update account a set status = 'INACTIVE', removed_at = clock_now(), tasked_at = clock_now(),
      seen_at = case when a.seen_at is not null then greatest(a.seen_at, (
        select p.last_synced_at from app p where p.org_id = ${change.orgId} and p.id = a.app_id)) end,
      ${beginAbsence(change)}
    where org_id = ${change.orgId} and id = any(${accountIds}::uuid[]) and removed_at is null`,
  );

/** Locks another account of the same app and type that already has this external id. Returns its id. */
export async function lockDuplicate(
  tx: OrgTx,
  accountId: string,
  externalId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select b.id
    from account a join account b on b.org_id = a.org_id and b.app_id = a.app_id
      and b.resource_type_id = a.resource_type_id and b.external_id = ${externalId} and b.id <> a.id
    where a.org_id = ${tx.orgId} and a.id = ${accountId}
    for no key update of b`.execute(tx);
  return rows[0]?.id;
}

/**
 * Merges a duplicate into the account that a task created: a sync pushed the new account under an email that did not
 * show whose it is. The account takes over the external id, the state that the sync saw, the memberships and the
 * history; the duplicate is removed. Returns the change of the duplicate, or undefined if it was removed before.
 */
export async function mergeDuplicate(
  tx: Tx,
  change: Change,
  accountId: string,
  duplicateId: string,
): Promise<AccountChange | undefined> {
  const { orgId } = change;
  const { rows } = await sql<
    AccountChange & { external_id: string; seen_at: Date | null; was_removed: boolean }
  >`
    with changed as (
      update account a set status = 'INACTIVE', external_id = null,
        removed_at = least(removed_at, clock_now()), ${beginAbsence(change)}
      where org_id = ${orgId} and id = ${duplicateId}
      returning new.id as account_id, old.external_id, old.seen_at, old.removed_at is not null as was_removed,
        ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps({ orgId }, sql`changed`)}
    ), kept as (${keepStates(change, sql`changed`, { retracted: true })}
    ), forgotten as (${forgetDigests({ orgId }, sql`select account_id from changed`)})
    select account_id, old_status as "from", new_status as "to", external_id, seen_at, was_removed from changed`.execute(
    tx,
  );
  const duplicate = rows[0];
  if (duplicate === undefined) return undefined;
  const { account_id, from, to, external_id, seen_at, was_removed } = duplicate;
  await apply(
    tx,
    change,
    was_removed
      ? sql`
    update account a set external_id = ${external_id}, seen_at = ${seen_at}, ${beginState(change, sql`a.change_id is distinct from ${change.id}::uuid`)}
    where org_id = ${orgId} and id = ${accountId}`
      : sql`
    update account a set external_id = ${external_id}, seen_at = ${seen_at}, status = ${from},
      ${takeOverState(change, duplicateId)}
    where org_id = ${orgId} and id = ${accountId}`,
  );
  await sql`
    insert into membership (org_id, account_id, entitlement_id, granted_at, tasked_at, seen_until, not_before, change_id, known_from)
    select m.org_id, ${accountId}, m.entitlement_id, m.granted_at, m.tasked_at, m.seen_until, m.not_before, m.change_id, x.at
    from membership m join inventory_change x on x.org_id = m.org_id and x.id = ${change.id}
    where m.org_id = ${orgId} and m.account_id = ${duplicateId} on conflict do nothing`.execute(tx);
  await sql`
    with moved as (
      delete from membership where org_id = ${orgId} and account_id = ${duplicateId} returning ${endedMembership})
    ${keepMemberships(change, sql`moved`, { retracted: true })}`.execute(tx);
  await moveHistory(tx, change, accountId, duplicateId);
  return was_removed ? undefined : { account_id, from, to };
}

/** Grants groups and licenses to an account. Returns those that it did not hold before. */
export async function grantMemberships(
  tx: Tx,
  change: Change,
  accountId: string,
  entitlementIds: string[],
): Promise<MembershipChange[]> {
  if (entitlementIds.length === 0) return [];
  await forgetDigest(within(tx, change.orgId), accountId);
  const { rows } = await sql<MembershipChange & { added: boolean }>`
    insert into membership (org_id, account_id, entitlement_id, granted_at, not_before, change_id, tasked_at)
    select a.org_id, a.id, e.id, ${beginningOf(change)}, clock_now()
    from unnest(${entitlementIds}::uuid[]) as e (id)
    join account a on a.org_id = ${change.orgId} and a.id = ${accountId} and a.removed_at is null
    on conflict (org_id, account_id, entitlement_id) do update set tasked_at = excluded.tasked_at
    returning account_id, entitlement_id, old.entitlement_id is null as added`.execute(tx);
  return rows.filter(({ added }) => added);
}

/** Revokes groups and licenses of an account. Returns those that it held. */
export async function revokeMemberships(
  tx: Tx,
  change: Change,
  accountId: string,
  entitlementIds: string[],
): Promise<MembershipChange[]> {
  if (entitlementIds.length === 0) return [];
  await forgetDigest(within(tx, change.orgId), accountId);
  const { rows } = await sql<MembershipChange>`
    with lost as (
      delete from membership
      where org_id = ${change.orgId} and account_id = ${accountId} and entitlement_id = any(${entitlementIds}::uuid[])
      returning ${endedMembership}
    ), kept as (${keepMemberships(change, sql`lost`)})
    select was_account_id as account_id, was_entitlement_id as entitlement_id from lost`.execute(tx);
  return rows;
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
  tx: Tx,
  change: Change,
  accountId: string,
): Promise<NamedEntitlement[]> {
  const { orgId } = change;
  await forgetDigest(within(tx, orgId), accountId);
  const { rows } = await sql<NamedEntitlement>`
    with lost as (
      delete from membership where org_id = ${orgId} and account_id = ${accountId}
      returning entitlement_id, ${endedMembership}
    ), kept as (${keepMemberships(change, sql`lost`)})
    select e.id as entitlement_id, r.type, r.slug, e.external_id as id, e.name
    from lost
    join entitlement e on e.org_id = ${orgId} and e.id = lost.entitlement_id
    join resource_type r on r.org_id = e.org_id and r.id = e.resource_type_id
    order by r.slug, e.external_id`.execute(tx);
  return rows;
}
