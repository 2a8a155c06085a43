import type { OrgTx } from '#kit/database.ts';
import { type RawBuilder, run, sql } from '#kit/sql.ts';
import type { Change } from '../../history/change.ts';
import {
  beginEntitlement,
  endedEntitlement,
  keepEntitlements,
} from '../../history/queries/entitlement-periods.ts';
import { columnOf } from '../../history/queries/periods.ts';
import { rowsOf } from '../../publication/queries/relations.ts';
import type { Scope } from '../../publication/relations.ts';
import { changedEntitlement, changedMembership } from '../relations.ts';
import { isReturning, type SessionChanges } from './find.ts';

/**
 * Selects the rows of changedEntitlement, after those of changedMembership. An entitlement that the session created stays
 * while an account keeps it.
 */
export const selectEntitlements = (scope: Scope, { ids, at }: SessionChanges): RawBuilder<unknown> => sql`
  with former as (
    select distinct on (entitlement_id) entitlement_id, id, name from entitlement_period
    where org_id = ${scope.orgId} and ended_by = any(${ids}::uuid[]) and known_to is null
      and not coalesce(began_by = any(${ids}::uuid[]), false)
    order by entitlement_id, ended_at
  )
  select e.id, case when f.id is null then 'remove' else 'restore' end,
    coalesce(f.id, (
      select p.id from entitlement_period p
      where p.org_id = ${scope.orgId} and p.entitlement_id = e.id and p.known_to is null and p.ended_at < ${at}
      order by p.ended_at desc limit 1))
  from entitlement e left join former f on f.entitlement_id = e.id
  where e.org_id = ${scope.orgId} and e.app_id = ${scope.appId} and e.change_id = any(${ids}::uuid[])
    and (f.id is not null or e.active and not exists (
      select from membership m
      where m.org_id = ${scope.orgId} and m.entitlement_id = e.id and not exists (
        select from ${rowsOf(scope, changedMembership)} w
        where w.account_id = m.account_id and w.entitlement_id = m.entitlement_id and w.period_id is null
          and w.conflict is null)))`;

/**
 * Brings the names and the existence of groups and licenses back, with the bounds that they had before the session. The
 * others of which memberships come back exist from now on.
 */
export async function revertEntitlements(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { ids, at }: SessionChanges,
): Promise<void> {
  const { orgId } = scope;
  const now = columnOf(change, 'at');
  const publication = { orgId, id: ids[0] ?? change.id };
  await run(tx)`
    with wanted as materialized (
      select w.entitlement_id, w.undo = 'restore' as returns, f.*
      from ${rowsOf(scope, changedEntitlement)} w
      left join lateral (
        select p.name, p.not_before, p.since, p.seen_until, p.gone_by, p.began_by, p.ended_by
        from entitlement_period p
        where p.org_id = ${orgId} and p.entitlement_id = w.entitlement_id and p.id = w.former_id
      ) f on true
    ), changed as (
      update entitlement e set active = f.returns, updated_at = now(), name = coalesce(f.name, e.name),
        since = case when f.returns then f.since
          else coalesce(f.gone_by, ${columnOf(publication, 'not_before')}, ${columnOf(publication, 'started_at')}) end,
        not_before = case when f.returns then f.not_before end,
        change_id = case when f.returns then f.began_by else coalesce(f.ended_by, ${change.id}::uuid) end,
        known_from = case when f.returns then ${now} end,
        tasked_at = case when f.returns then f.seen_until end
      from wanted f
      where e.org_id = ${orgId} and e.id = f.entitlement_id
      returning ${endedEntitlement}
    )
    ${keepEntitlements(change, sql`changed`, { retracted: true })}`;
  await run(tx)`
    update entitlement_period p set known_to = ${now}
    from ${rowsOf(scope, changedEntitlement)} w
    where p.org_id = ${orgId} and p.entitlement_id = w.entitlement_id and p.known_to is null
      and p.ended_at >= ${at} and (p.began_by = any(${ids}::uuid[]) or p.ended_by = any(${ids}::uuid[]))`;
  await run(tx)`
    with changed as (
      update entitlement e set active = true, updated_at = now(), ${beginEntitlement(change, sql`true`)}
      where ${isReturning(scope)} and not e.active
      returning ${endedEntitlement}
    )
    ${keepEntitlements(change, sql`changed`)}`;
}
