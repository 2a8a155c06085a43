import { sql } from 'kysely';
import type { Tx } from '../platform/database/open.ts';
import type { Scope } from './publish-queries.ts';

/**
 * Carries out the plan that the publication froze, but for what a task has touched since the session started
 * (D16). What it changed lies in the temporary tables removed_account and removed_membership.
 */
export async function carryOutPlan(
  tx: Tx,
  { orgId, sessionId }: Scope,
): Promise<{ records: number; memberships: number }> {
  const known = sql`(select started_at from sync_session where org_id = ${orgId} and id = ${sessionId})`;
  await sql`create temp table removed_account (account_id uuid, old_status text, new_status text) on commit drop`.execute(
    tx,
  );
  await sql`create temp table removed_membership (account_id uuid, entitlement_id uuid) on commit drop`.execute(
    tx,
  );
  const accounts = await sql`
    with removed as (
      update account a set status = 'INACTIVE', removed_at = now(), updated_at = now(),
        seen_at = greatest(a.seen_at, (select p.last_synced_at from app p where p.org_id = a.org_id and p.id = a.app_id))
      from sync_removal r
      where r.org_id = ${orgId} and r.session_id = ${sessionId} and r.entitlement_id is null
        and a.org_id = ${orgId} and a.id = r.account_id and a.removed_at is null
        and (a.tasked_at is null or a.tasked_at <= ${known})
      returning a.id, old.status as old_status, new.status as new_status
    )
    insert into removed_account select id, old_status, new_status from removed`.execute(tx);
  const entitlements = await sql`
    update entitlement e set active = false, updated_at = now()
    from sync_removal r
    where r.org_id = ${orgId} and r.session_id = ${sessionId} and r.account_id is null
      and e.org_id = ${orgId} and e.id = r.entitlement_id and e.active
      and not exists (
        select from membership m where m.org_id = ${orgId} and m.entitlement_id = e.id and m.tasked_at > ${known})`.execute(
    tx,
  );
  const memberships = await sql`
    with removed as (
      delete from membership m
      where m.org_id = ${orgId} and (
        m.account_id in (select account_id from removed_account)
        or (m.account_id, m.entitlement_id) in (
          select account_id, entitlement_id from sync_removal
          where org_id = ${orgId} and session_id = ${sessionId} and account_id is not null and entitlement_id is not null)
        and (m.tasked_at is null or m.tasked_at <= ${known}))
      returning account_id, entitlement_id
    )
    insert into removed_membership select account_id, entitlement_id from removed`.execute(tx);
  await sql`delete from sync_removal where org_id = ${orgId} and session_id = ${sessionId}`.execute(tx);
  return {
    records: Number(accounts.numAffectedRows ?? 0) + Number(entitlements.numAffectedRows ?? 0),
    memberships: Number(memberships.numAffectedRows ?? 0),
  };
}
