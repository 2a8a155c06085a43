import type { App } from '#inventory/apps/app.ts';
import { accounts, holds, memberships } from '#inventory/records/accounts/facts.ts';
import type { Losses, TaskLosses } from '#inventory/records/budget/budget.ts';
import { hasLosses } from '#inventory/records/budget/facts.ts';
import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { many, type RawBuilder, run, sql } from '#kit/sql.ts';
import { addToCounts, emptyCounts, type PlanCounts } from '../plan-counts.ts';
import type { Action, TakingTask } from '../task.ts';
import type { TaskPlace } from './find.ts';

/** Whether the task of an organization with this alias takes something away. */
export const takesAway = (org: Org, task: string) => sql`(case ${sql.ref(`${task}.action`)}
  when 'delete_account' then true when 'suspend_account' then true
  when 'update_account' then exists (
    select from task_change c
    where c.org_id = ${org.orgId} and c.task_id = ${sql.ref(`${task}.id`)} and not c.added and not c.spared)
  else false end)`;

/** The accounts that a task takes away, as SQL: 0 or 1. */
const accountsLost = (status: RawBuilder<unknown>, action: RawBuilder<unknown>) => sql`
  case when ${status} in ('INVITED', 'ACTIVE') and ${action} in ('delete_account', 'suspend_account')
    or ${status} = 'SUSPENDED' and ${action} = 'delete_account' then 1 else 0 end`;

/** Returns what these tasks would take away, by app. */
export async function plannedLosses(
  db: OrgDb,
  tasks: readonly TakingTask[],
): Promise<{ app_id: string; guard: App['removal_guard']; losses: Losses }[]> {
  const column = (name: keyof TakingTask) => tasks.map((task) => task[name]);
  return many<{ app_id: string; guard: App['removal_guard']; losses: Losses }>(db)`
    select p.id as app_id, p.removal_guard as guard, jsonb_build_object(
      'accounts', sum(${accountsLost(sql`a.status`, sql`g.action`)}),
      'memberships', sum(case g.action when 'delete_account' then (
        select count(*) from ${memberships} m where m.org_id = ${db.orgId} and m.account_id = g.account_id)
        else g.removed end)) as losses
    from unnest(${column('app_id')}::uuid[], ${column('account_id')}::uuid[], ${column('action')}::text[],
      ${column('removed')}::integer[]) as g (app_id, account_id, action, removed)
    join ${accounts} a on a.org_id = ${db.orgId} and a.id = g.account_id
    join app p on p.org_id = ${db.orgId} and p.id = g.app_id
    group by p.org_id, p.id`;
}

/** Whether a due task that is not held or stopped deletes the account of task `c`. */
const isAboutToBeDeleted = (org: Org, stopped: readonly string[]) => sql`exists (
  select from task deletion
  where deletion.org_id = ${org.orgId} and deletion.account_id = c.account_id and deletion.action = 'delete_account'
    and deletion.status = 'scheduled' and deletion.execute_after <= clock_now()
    and coalesce(deletion.waits_for not in ('confirmation', 'hold', 'undecided'), true) and deletion.id <> all(${stopped}::uuid[]))`;

/** The due tasks of one decision in one app, with what they take away. Their losses count together. */
export interface Decision {
  app_id: string;
  guard: App['removal_guard'];
  /** Whether an administrator has released them, or another task of the decision is held. */
  released: boolean;
  held: boolean;
  losses: TaskLosses[];
}

/**
 * Returns the decisions behind those of these tasks that have not been counted yet. All due tasks of a policy, and those of
 * access reviews, count together: a mistake in them is one mistake. Any other task is a decision of its own. Tasks that a deletion of
 * their account is about to preempt take nothing away. `stopped` are due tasks that will not run.
 */
export async function decisionsOf(
  tx: OrgTx,
  taskIds: readonly string[],
  stopped: readonly string[],
): Promise<Decision[]> {
  const isCounted = hasLosses(sql`${tx.orgId}`, sql`t.id`);
  return many<Decision>(tx)`
    with given as materialized (
      select t.id, t.app_id, t.account_id, t.action, t.task_type, t.released_at is not null as released,
        case when t.released_at is not null then null when t.task_type = 'POLICY' then t.source_id::text
          when t.task_type = 'ACCESS_REVIEW' then 'reviews' end as shared
      from task t
      where t.org_id = ${tx.orgId} and t.id = any(${taskIds}::uuid[]) and not ${isCounted}
    ), decision as materialized (
      select app_id, task_type, shared, bool_or(exists (
          select from task h
          where h.org_id = ${tx.orgId} and h.app_id = given.app_id and h.waits_for = 'confirmation'
            and h.task_type = given.task_type and (shared = 'reviews' or h.source_id::text = shared))) as held
      from given where shared is not null group by 1, 2, 3
    ), counted as (
      select id, app_id, account_id, action, coalesce(shared, id::text) as decision, released, false as held from given
      where shared is null
      union all
      select g.id, g.app_id, g.account_id, g.action, g.shared, false, true
      from given g join decision d using (app_id, task_type, shared) where d.held
      union all
      select t.id, t.app_id, t.account_id, t.action, d.shared, false, false
      from decision d
      join task t on t.org_id = ${tx.orgId} and t.app_id = d.app_id and t.status = 'scheduled'
        and t.execute_after <= clock_now() and t.released_at is null and t.task_type = d.task_type
        and (d.shared = 'reviews' or t.source_id::text = d.shared)
      where not d.held and coalesce(t.waits_for not in ('hold', 'undecided'), true) and ${takesAway(tx, 't')} and not ${isCounted} and t.id <> all(${stopped}::uuid[])
    )
    select c.app_id, p.removal_guard as guard, bool_or(c.released) as released, bool_or(c.held) as held,
      jsonb_agg(jsonb_build_object('task_id', c.id, 'app_id', c.app_id,
        'accounts', ${accountsLost(sql`a.status`, sql`c.action`)},
        'memberships', case c.action
          when 'delete_account' then (
            select count(*) from ${memberships} m where m.org_id = ${tx.orgId} and m.account_id = c.account_id)
          when 'update_account' then case when not ${isAboutToBeDeleted(tx, stopped)} then (
            select count(*) from task_change g
            where g.org_id = ${tx.orgId} and g.task_id = c.id and not g.added and not g.spared
              and ${holds(sql`${tx.orgId}`, sql`c.account_id`, sql`g.entitlement_id`)}) else 0 end
          else 0 end)) as losses
    from counted c
    join ${accounts} a on a.org_id = ${tx.orgId} and a.id = c.account_id
    join app p on p.org_id = ${tx.orgId} and p.id = c.app_id
    group by c.app_id, p.removal_guard, c.decision
    order by c.app_id, min(c.id::text)`;
}

/** The held tasks of an app, or only these, in order of creation. */
const held = (org: Org, appId: string, only: readonly string[] | null) => sql`
  select id, app_id, account_id from task
  where org_id = ${org.orgId} and app_id = ${appId} and status = 'scheduled' and waits_for in ('confirmation', 'undecided')
    and (${only}::uuid[] is null or id = any(${only}::uuid[]))
  order by number`;

/** Returns the oldest held tasks of an app, or of only these. */
export const findHeld = (
  db: OrgDb,
  appId: string,
  { only, limit }: { only: readonly string[] | null; limit: number },
) => many<TaskPlace>(db)`${held(db, appId, only)} limit ${limit}`;

/** Locks the held tasks of an app, or only these, and returns them. */
export const lockHeld = (tx: OrgTx, appId: string, only: readonly string[] | null) =>
  many<TaskPlace>(tx)`${held(tx, appId, only)} for no key update`;

/** Lets held tasks have their turn. A deletion among them has yet to preempt the other tasks of its account. */
export const release = (tx: OrgTx, taskIds: readonly string[], userId: string) => run(tx)`
    update task set waits_for = null, blocked_at = null, released_at = clock_now(), released_by = ${userId}
    where org_id = ${tx.orgId} and id = any(${taskIds}::uuid[])`;

/** Counts what the held tasks of an app would do. */
export async function countHeld(db: OrgDb, appId: string): Promise<PlanCounts> {
  const rows = await many<{ action: Action; tasks: number; added: number; removed: number }>(db)`
    select t.action, count(distinct t.id) as tasks, count(c.entitlement_id) filter (where c.added) as added,
      count(c.entitlement_id) filter (where not c.added) as removed
    from task t left join task_change c on c.org_id = t.org_id and c.task_id = t.id and not c.spared
    where t.org_id = ${db.orgId} and t.app_id = ${appId} and t.status = 'scheduled' and t.waits_for in ('confirmation', 'undecided')
    group by 1`;
  const counts = emptyCounts();
  for (const { action, tasks, ...memberships } of rows) addToCounts(counts, action, tasks, memberships);
  return counts;
}
