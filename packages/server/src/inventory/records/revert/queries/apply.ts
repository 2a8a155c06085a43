import { type OrgTx, timeToInsert } from '#kit/database.ts';
import type { Actor } from '#kit/identity.ts';
import { many, one, run, sql, value } from '#kit/sql.ts';
import { countSteps, updatedAccountColumns } from '../../accounts/queries/account-counts.ts';
import { type LinkMove, moves } from '../../accounts/queries/links.ts';
import { countBegun, countEnded } from '../../accounts/queries/member-counts.ts';
import type { SyncLosses } from '../../budget/losses.ts';
import type { Change } from '../../history/change.ts';
import {
  endedLink,
  endedMembership,
  endedState,
  keepLinks,
  keepMemberships,
  keepStates,
} from '../../history/queries/periods.ts';
import { endsAccess } from '../../publication/queries/ended.ts';
import { insertInto, rowsOf } from '../../publication/queries/relations.ts';
import type { Scope } from '../../publication/relations.ts';
import {
  changedLink,
  changedMembership,
  changedState,
  returnedMembership,
  revertedAccount,
  withdrawnMembership,
} from '../relations.ts';
import { type SessionChanges, timeOf } from './find.ts';

/** Begins a revert. It is later than every other change of the app. */
export async function insertRevert(
  tx: OrgTx,
  { orgId, appId, sessionId }: Scope,
  actor: Actor,
): Promise<Change> {
  const time = await timeToInsert(tx);
  const id = await value<string | undefined>(tx)`
    with newest as (
      select max(at) as at from inventory_change where org_id = ${orgId} and (app_id = ${appId} or source_id = ${sessionId})
    ), now as materialized (
      select greatest(${time}, newest.at + interval '1 microsecond') as at from newest
    )
    insert into inventory_change (org_id, app_id, kind, source_id, actor, at, not_before, seen_until, gone_by)
    select ${orgId}, ${appId}, 'revert', ${sessionId}, ${JSON.stringify(actor)}::jsonb, at, at, at, at from now
    returning id`;
  return { orgId, id: id as string };
}

/** Records that the changes of a session no longer count as sightings. */
export const markChangesReverted = (tx: OrgTx, change: Change, { ids }: SessionChanges) => run(tx)`
    update inventory_change set reverted_at = ${timeOf(change.orgId, change.id)}
    where org_id = ${change.orgId} and id = any(${ids}::uuid[])`;

/**
 * Brings the states of accounts back. A restored state has its original bounds, and the last time that it was seen
 * before the session, which `tasked_at` holds until the next sync confirms it.
 */
export async function revertStates(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { ids, at }: SessionChanges,
): Promise<void> {
  const { orgId } = scope;
  const now = timeOf(orgId, change.id);
  const publication = (column: string) =>
    sql`(select ic.${sql.ref(column)} from inventory_change ic where ic.org_id = ${orgId} and ic.id = ${ids[0]})`;
  const former = (column: string) => sql`coalesce(f.${sql.ref(column)}, a.${sql.ref(column)})`;
  await run(tx)`
    with wanted as materialized (
      select s.account_id, s.undo = 'restore' as returns, f.*
      from ${rowsOf(scope, changedState)} s
      left join lateral (
        select p.resource_type_id, p.external_id, p.email, p.username, p.first_name, p.last_name, p.display_name,
          p.status, p.given, p.not_before, p.since, p.seen_until, p.gone_by, p.ended_at, p.began_by, p.ended_by
        from account_period p where p.org_id = ${orgId} and p.account_id = s.account_id and p.id = s.former_id
      ) f on true
      where s.conflict is null
    ), changed as (
      update account a set
        resource_type_id = ${former('resource_type_id')}, email = ${former('email')},
        username = ${former('username')}, first_name = ${former('first_name')},
        last_name = ${former('last_name')}, display_name = ${former('display_name')}, given = ${former('given')},
        external_id = case when f.returns then f.external_id else a.external_id end,
        status = case when f.returns then f.status else 'INACTIVE' end,
        removed_at = case when f.returns then null else coalesce(f.ended_at, ${now}) end,
        since = case when f.returns then f.since
          else coalesce(f.gone_by, ${publication('not_before')}, ${publication('started_at')}) end,
        not_before = case when f.returns then f.not_before end,
        change_id = case when f.returns then f.began_by else coalesce(f.ended_by, ${change.id}::uuid) end,
        known_from = case when f.returns then ${now} end,
        tasked_at = case when f.returns then f.seen_until end
      from wanted f
      where a.org_id = ${orgId} and a.id = f.account_id
      returning new.id, ${updatedAccountColumns}, ${endedState}
    ), counted as (${countSteps({ orgId }, sql`changed`)}
    ), kept as (${keepStates(change, sql`changed`, { retracted: true })})
    ${insertInto(scope, revertedAccount, sql`select id, old_status, new_status from changed`)}`;
  await run(tx)`
    update account_period p set known_to = ${now}
    from ${rowsOf(scope, changedState)} s
    where p.org_id = ${orgId} and p.account_id = s.account_id and s.conflict is null and p.known_to is null
      and p.ended_at >= ${at} and (p.began_by = any(${ids}::uuid[]) or p.ended_by = any(${ids}::uuid[]))`;
}

/** Links accounts to their former people again, and returns the links that changed. The history keeps the links that this ends. */
export async function revertLinks(tx: OrgTx, scope: Scope): Promise<LinkMove[]> {
  const { orgId } = scope;
  return many<LinkMove>(tx)`
    with linked as (
      update account a set user_id = l.user_id, linked_at = greatest(clock_now(), a.linked_at)
      from ${rowsOf(scope, changedLink)} l
      where a.org_id = ${orgId} and a.id = l.account_id and l.conflict is null
      returning ${updatedAccountColumns}, ${endedLink}
    ), kept as (${keepLinks({ orgId }, sql`linked`)}
    ), counted as (${countSteps({ orgId }, sql`linked`)})
    ${moves}`;
}

/** Takes away the memberships that the session added, and brings those back that it removed. */
export async function revertMemberships(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { ids, at }: SessionChanges,
): Promise<void> {
  const { orgId } = scope;
  const now = timeOf(orgId, change.id);
  const wanted = rowsOf(scope, changedMembership);
  await run(tx)`
    with lost as (
      delete from membership m using ${wanted} w
      where w.period_id is null and w.conflict is null
        and m.org_id = ${orgId} and m.account_id = w.account_id and m.entitlement_id = w.entitlement_id
      returning m.account_id, m.entitlement_id, ${endedMembership}
    ), kept as (${keepMemberships(change, sql`lost`, { retracted: true })}
    ), counted as (${countEnded({ orgId }, sql`lost`)})
    ${insertInto(scope, withdrawnMembership, sql`select account_id, entitlement_id from lost`)}`;
  await run(tx)`
    with ended as (
      update membership_period p set known_to = ${now}
      from ${wanted} w
      where w.period_id is not null and w.conflict is null
        and p.org_id = ${orgId} and p.account_id = w.account_id and p.entitlement_id = w.entitlement_id
        and p.ended_at >= ${at} and p.id = w.period_id
      returning p.account_id, p.entitlement_id, p.since, p.not_before, p.began_by, p.seen_until, p.via_id, p.via_since, p.given
    ), returned as (
      insert into membership (org_id, account_id, entitlement_id, granted_at, not_before, change_id, known_from, tasked_at,
        via_id, via_since, given)
      select ${orgId}, account_id, entitlement_id, since, not_before, began_by, ${now}, seen_until, via_id, via_since, given
      from ended
      returning account_id, entitlement_id
    ), counted as (${countBegun({ orgId }, sql`returned`)})
    ${insertInto(scope, returnedMembership, sql`select account_id, entitlement_id from returned`)}`;
  await run(tx)`
    update membership_period p set known_to = ${now}
    where p.org_id = ${orgId} and p.known_to is null
      and p.began_by = any(${ids}::uuid[]) and p.ended_by = any(${ids}::uuid[])`;
}

/** Gives the memberships whose giver the session changed their former giver again, unless it has changed since (D68). */
export const revertGivers = (
  tx: OrgTx,
  { orgId, appId }: Scope,
  change: Change,
  { ids }: SessionChanges,
) => run(tx)`
    update membership m set via_id = m.via_before, via_since = ${timeOf(orgId, change.id)}, via_before = null,
      via_change_id = null
    from account a
    where a.org_id = ${orgId} and a.app_id = ${appId}
      and m.org_id = ${orgId} and m.account_id = a.id and m.via_change_id = any(${ids}::uuid[])`;

/** Counts the accounts whose access the revert ended, and the memberships that it took away. */
export async function countLosses(tx: OrgTx, scope: Scope): Promise<SyncLosses> {
  return (await one<SyncLosses>(tx)`
    with ended as (
      select new_status from ${rowsOf(scope, revertedAccount)}
      where ${endsAccess('old_status', 'new_status')} or old_status = 'SUSPENDED' and new_status = 'INACTIVE'
    )
    select count(*) as accounts, count(*) filter (where new_status = 'SUSPENDED') as suspended,
      (select count(*) from ${rowsOf(scope, withdrawnMembership)}) as memberships
    from ended`) as SyncLosses;
}
