import { holds } from '#inventory/records/accounts/facts.ts';
import type { Org } from '#kit/database.ts';
import { sql } from '#kit/sql.ts';
import { reasonSentences } from '../../reason-sentences.ts';
import type { PreconditionRule } from './precondition.ts';

/*
 * Time-bound access: the decision that granted it also scheduled a task that removes it. Several decisions may grant
 * the same; the one that ends last removes it. A decision is a ticket, a review item or a policy: the source of a task.
 */

/** The create_account with which the account's current life began, as a task number; 0 if no task created it. */
const currentLife = (orgId: string) => sql`coalesce((
  select max(creation.number) from task creation
  where creation.org_id = ${orgId} and creation.account_id = t.account_id and creation.action = 'create_account'), 0)`;

/** Task `g` belongs to another decision about the same account, in the account's current life. */
const ofAnotherDecision = (orgId: string) => sql`
  g.org_id = ${orgId} and g.account_id = t.account_id
  and (g.source_type is distinct from t.source_type or g.source_id is distinct from t.source_id) and g.number >= ${currentLife(orgId)}`;

/** Task `g` has taken effect, or is about to. */
const inEffect = sql`(
  g.status in ('completed', 'pending') or (g.status = 'scheduled' and g.execute_after <= clock_now()))`;

/** The removals of entitlement `c` that the decision of task `g` has made itself: how many, and whether one is ahead. */
const ownRemovals = (org: Org) => sql`(
  select count(*) as n, bool_or(e.status = 'scheduled' and e.execute_after > clock_now()) as ahead
  from task e
  join task_change d on d.org_id = e.org_id and d.task_id = e.id and d.entitlement_id = c.entitlement_id and not d.added
  where e.org_id = ${org.orgId} and e.account_id = g.account_id
    and e.source_type = g.source_type and e.source_id = g.source_id)`;

/** A completed task has removed entitlement `c` since task `g` granted it. */
const removedSince = (org: Org) => sql`exists (
  select from task r
  join task_change d on d.org_id = r.org_id and d.task_id = r.id and d.entitlement_id = c.entitlement_id
    and not d.added and not d.spared
  where r.org_id = ${org.orgId} and r.account_id = g.account_id and r.status = 'completed' and r.ended_at > g.ended_at)`;

/**
 * Whether another decision than that of task `t` grants the entitlement that its change `c` removes, and for longer:
 * its removal lies ahead, or it has none.
 */
export const grantedElsewhere = (org: Org) => sql`exists (
  select from task g
  join task_change a on a.org_id = g.org_id and a.task_id = g.id and a.entitlement_id = c.entitlement_id and a.added
  cross join lateral ${ownRemovals(org)} as own
  where ${ofAnotherDecision(org.orgId)} and ${inEffect} and (own.n = 0 or own.ahead) and not ${removedSince(org)})`;

/** An open task that is due removes entitlement `a` of task `g`. */
const aboutToBeRemoved = (orgId: string) => sql`exists (
  select from task r
  join task_change d on d.org_id = r.org_id and d.task_id = r.id and d.entitlement_id = a.entitlement_id
    and not d.added and not d.spared
  where r.org_id = ${orgId} and r.account_id = g.account_id
    and r.status in ('scheduled', 'pending') and r.execute_after <= clock_now())`;

/**
 * Whether another decision than that of task `t` still needs its account: it is about to grant something, or granted
 * something that the account holds and keeps.
 */
const accountNeededElsewhere = (orgId: string) => sql`exists (
  select from task g
  join task_change a on a.org_id = g.org_id and a.task_id = g.id and a.added
  where ${ofAnotherDecision(orgId)} and (g.status in ('scheduled', 'pending') or (
    g.status = 'completed' and ${holds(sql`${orgId}`, sql`g.account_id`, sql`a.entitlement_id`)}
    and not ${aboutToBeRemoved(orgId)})))`;

/**
 * Holds while this task is the last to end the access. An update_account keeps what another decision grants for longer:
 * its removal is marked as spared first (queries/preconditions.ts), and the task runs if any removal is left. A
 * delete_account runs if no other decision needs the account.
 */
export const lastHolder: PreconditionRule = {
  holds: (orgId) => sql`case t.action
    when 'delete_account' then not ${accountNeededElsewhere(orgId)}
    else exists (
      select from task_change c where c.org_id = ${orgId} and c.task_id = t.id and not c.added and not c.spared) end`,
  reason: reasonSentences.task_access_granted_longer(),
};
