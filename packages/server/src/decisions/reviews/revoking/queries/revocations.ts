import { accounts, entitlements } from '#inventory/records/accounts/facts.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import { latestAttempt, latestAttempts, leftOut, tasks, wordsOf } from '#work/provisioning/facts.ts';
import { noRevocations, type RevocationState, type Revocations } from '../../campaigns/cycle.ts';
import { isGone } from './revoke.ts';

/** The entitlement that the task of item `i` removes: that of the item, or its giver (D68). */
const removedFor = sql`coalesce((i.revoked_at ->> 'external_uuid')::uuid, i.entitlement_id)`;

/** The status of the task `t`, or of the deletion of the account that took its place. */
const statusOf = (org: Org) => sql`(
  case when t.status = 'preempted' then (
    select deletion.status from ${latestAttempt(org, sql`t.preempted_by`)} deletion) else t.status end)`;

/**
 * The state of the revocation of item `i`, with its account `a`, its entitlement `e`, the latest attempt `t` at its task and
 * its cycle `y`. A revocation of a group that is gone is not possible: the access may go on under another id.
 */
export const revocationState = (org: Org): RawBuilder<RevocationState | null> => sql`
  case when i.decision is distinct from 'revoke' then null
    when ${statusOf(org)} in ('scheduled', 'pending') then 'waiting'
    when ${statusOf(org)} = 'failed' then 'failed'
    when t.status = 'completed' and not ${leftOut(org, 't', removedFor)} then 'carried_out'
    when i.entitlement_id is not null and not e.active then 'not_possible'
    when ${isGone(org, sql`y.settings ->> 'revoke_account_by' = 'suspend'`)} then 'carried_out'
    else 'not_possible' end`;

/** Why the revocation of an item was not possible, if its task does not say. */
export const whyNotPossible = (org: Org): RawBuilder<string | null> => sql`
  case when t.id is not null then coalesce(t.ended_reason ->> 'text', ${wordsOf(sql`t.left_out`)})
    when i.entitlement_id is not null and not e.active then 'vanished'
    when i.kept_for is not null then 'kept'
    when i.kept_by is not null then 'derived'
    when exists (
      select from app p where p.org_id = ${org.orgId} and p.id = i.app_id and p.archived_at is not null) then 'archived'
    else 'returned' end`;

/** Counts what became of the revocations of a cycle. */
export async function revocationsOf(db: OrgDb, cycleId: string): Promise<Revocations> {
  const ofCycle = sql`array(
    select s.id from review_item s where s.org_id = ${db.orgId} and s.cycle_id = ${cycleId}
      and s.decision = 'revoke' and s.task_id is not null)`;
  const rows = await many<{ state: RevocationState; n: number }>(db)`
    select ${revocationState(db)} as state, count(*)::integer as n
    from review_item i
    join review_cycle y on y.org_id = ${db.orgId} and y.id = i.cycle_id
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = i.account_id
    left join ${entitlements} e on e.org_id = ${db.orgId} and e.id = i.entitlement_id
    left join ${tasks} made on made.org_id = ${db.orgId} and made.id = i.task_id
    left join ${latestAttempts(db, 'review_item', ofCycle)} t
      on t.source_id = made.source_id and t.account_id = made.account_id and t.action = made.action
    where i.org_id = ${db.orgId} and i.cycle_id = ${cycleId} and i.decision = 'revoke'
    group by 1`;
  return { ...noRevocations(), ...Object.fromEntries(rows.map(({ state, n }) => [state, n])) };
}
