import type { OrgTx } from '#kit/database.ts';
import { emailKey } from '#kit/identity.ts';
import { affected, type RawBuilder, run, sql, value } from '#kit/sql.ts';
import { personWithEmail } from '../../accounts/facts.ts';
import { isAnotherEmail } from '../../accounts/queries/link-rule.ts';
import type { Change } from '../../history/change.ts';
import {
  beginEntitlement,
  endedEntitlement,
  keepEntitlements,
} from '../../history/queries/entitlement-periods.ts';
import { beginningOf, columnOf } from '../../history/queries/periods.ts';
import type { Scope, StartedAt, stagedEntitlement, unreadableEntitlement } from '../relations.ts';
import { rowsOf } from './relations.ts';

/** Whether the entitlement with this id is unreadable. Nothing is if the relation is null. */
export const isUnreadable = (
  scope: Scope,
  entitlements: typeof unreadableEntitlement | null,
  id: RawBuilder<unknown>,
): RawBuilder<boolean> =>
  entitlements === null
    ? sql<boolean>`false`
    : sql<boolean>`(${id} in (select entitlement_id from ${rowsOf(scope, entitlements)}))`;

/** Joins entitlement `e` to a staged entitlement or reference `s`. */
export const isStagedEntitlement = ({ orgId, appId }: Scope) => sql`
  e.org_id = ${orgId} and e.app_id = ${appId}
  and e.resource_type_id = s.resource_type_id and e.external_id = s.external_id`;

/**
 * Whether the pushed state `s` differs from that of entitlement `e`, in more than the form of its letters (D89). A placeholder has only a
 * name.
 */
export const entitlementDiffers = sql<boolean>`(
  not e.active
  or (not s.pushed and e.name = '' and s.name <> '')
  or (s.pushed and (in_nfc(e.name), in_nfc(e.description), e.max_count, e.used_count, e.is_paid, e.is_unlimited, e.risk,
      e.owner_email)
    is distinct from
    (in_nfc(s.name), in_nfc(s.description), s.max_count, s.used_count, s.is_paid, s.is_unlimited, s.risk, s.owner_email)))`;

/** The name of entitlement `e` after `s` is published. */
export const publishedName = sql<string>`
  case when (s.pushed or e.name = '') and in_nfc(s.name) <> in_nfc(e.name) then s.name else e.name end`;

/** A placeholder only reactivates an entitlement and names it if it has no name yet (D18). */
export const updateEntitlements = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  staged: typeof stagedEntitlement,
) => value<number>(tx)`
    with changed as (
      update entitlement e set active = true, updated_at = now(),
        ${beginEntitlement(change, sql`(not e.active or e.name <> ${publishedName})`)},
        name = ${publishedName},
        description = case when s.pushed then s.description else e.description end,
        max_count = case when s.pushed then s.max_count else e.max_count end,
        used_count = case when s.pushed then s.used_count else e.used_count end,
        is_paid = case when s.pushed then s.is_paid else e.is_paid end,
        is_unlimited = case when s.pushed then s.is_unlimited else e.is_unlimited end,
        risk = case when s.pushed then s.risk else e.risk end,
        owner_email = case when s.pushed then s.owner_email else e.owner_email end
      from ${rowsOf(scope, staged)} s
      where ${isStagedEntitlement(scope)} and ${entitlementDiffers}
      returning ${endedEntitlement}
    ), ended as (${keepEntitlements(change, sql`changed`)})
    select count(*) as n from changed`;

export const insertEntitlements = (
  tx: OrgTx,
  scope: Scope,
  change: Change,
  staged: typeof stagedEntitlement,
) => affected(tx)`
    insert into entitlement (org_id, app_id, resource_type_id, external_id, name, description,
      max_count, used_count, is_paid, is_unlimited, risk, owner_email, since, not_before, change_id)
    select ${scope.orgId}, ${scope.appId}, s.resource_type_id, s.external_id, s.name, s.description,
      s.max_count, s.used_count, s.is_paid, s.is_unlimited, s.risk, s.owner_email, ${beginningOf(change)}
    from ${rowsOf(scope, staged)} s
    where not exists (select from entitlement e where ${isStagedEntitlement(scope)})`;

/**
 * Finds the people whom the app names as owners of groups and licenses by email. As for accounts (details.ts), the email decides once:
 * whoever has it later is not the owner (D83). While the app names nobody, the former owner is remembered.
 */
export async function findOwners(tx: OrgTx, { orgId, appId }: Scope): Promise<void> {
  const isSame = sql`coalesce(not ${isAnotherEmail(sql`e.named_email`, sql`e.owner_email`)}, false)`;
  await run(tx)`
    with named as materialized (
      select e.id, e.owner_email, ${isSame} as is_same,
        case when ${isSame} then e.former_owner_id
          else ${personWithEmail({ orgId }, emailKey(sql`e.owner_email`))} end as owner_id
      from entitlement e
      where e.org_id = ${orgId} and e.app_id = ${appId} and case when e.owner_email is null then e.owner_id is not null
        else not ${isSame} or e.former_owner_id is not null end
    )
    update entitlement e set owner_id = n.owner_id, former_owner_id = case when n.owner_email is null then e.owner_id end,
      named_email = case when n.owner_email is null or n.is_same then e.named_email
        when n.owner_id is not null then n.owner_email end
    from named n
    where e.org_id = ${orgId} and e.id = n.id and (n.owner_id is not null or e.named_email is not null)`;
}

/**
 * Records of each entitlement that the session did not see when a task last granted it: only that proves that it exists
 * (selectStaleEntitlements). For one that is unreadable, the sync before proves it. Forgets this of those that the session saw.
 */
export async function markUnseenEntitlements(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  {
    entitlements: staged,
    unreadable,
  }: {
    entitlements: typeof stagedEntitlement;
    unreadable: { entitlements: typeof unreadableEntitlement | null };
  },
  startedAt: StartedAt,
): Promise<void> {
  const isKept = isUnreadable(scope, unreadable.entitlements, sql`e.id`);
  const isStaged = sql`exists (
    select from ${rowsOf(scope, staged)} s where ${isStagedEntitlement(scope)})`;
  await run(tx)`
    with proof as (
      select e.id, case when not ${isStaged} then coalesce((
        select max(m.tasked_at) from membership m
        where m.org_id = ${scope.orgId} and m.entitlement_id = e.id and m.tasked_at > ${startedAt}),
        e.tasked_at, case when ${isKept} then greatest(e.since, ${columnOf(change, 'seen_until')}) end) end as at
      from entitlement e where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId} and e.active
        and (e.tasked_at is not null or not ${isStaged})
    )
    update entitlement e set tasked_at = proof.at
    from proof where e.org_id = ${scope.orgId} and e.id = proof.id and e.tasked_at is distinct from proof.at`;
}

/** Selects the `entitlement_id` of each staged entitlement that is in the inventory. */
export const selectStagedIds = (scope: Scope, staged: typeof stagedEntitlement): RawBuilder<unknown> => sql`
  select e.id as entitlement_id from entitlement e join ${rowsOf(scope, staged)} s on ${isStagedEntitlement(scope)}`;

/**
 * Selects the `entitlement_id` of each active entitlement of the app that the session neither pushed nor mentioned, also as
 * unreadable.
 */
export const selectStaleEntitlements = (
  scope: Scope,
  staged: typeof stagedEntitlement,
  startedAt: RawBuilder<unknown>,
  unreadable: typeof unreadableEntitlement | null,
): RawBuilder<unknown> => sql`
  select e.id as entitlement_id from entitlement e
  where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId} and e.active
    and not ${isUnreadable(scope, unreadable, sql`e.id`)}
    and not exists (select from ${rowsOf(scope, staged)} s where ${isStagedEntitlement(scope)})
    and not exists (
      select from membership m
      where m.org_id = ${scope.orgId} and m.entitlement_id = e.id and m.tasked_at > ${startedAt})`;
