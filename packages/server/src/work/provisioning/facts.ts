import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';
import type { Org, OrgDb } from '#kit/database.ts';
import { many, type RawBuilder, sql } from '#kit/sql.ts';
import type { TaskSource } from './task.ts';

/**
 * The facts of provisioning that other features need in their SQL. Each fragment is written once, here. Relations are
 * used as `from ${tasks} t`; PostgreSQL plans them like the tables themselves.
 */

/**
 * Every task. Columns: org_id, id, number (the order of creation), app_id, account_id, action, status, execute_after,
 * created_at, created_by, released_at, released_by, blocked_at, waits_for, hold_id, dispatched_at, ended_at, ended_reason, preempted_by, left_out, error,
 * confirmed, retry_of, attempt, task_type, source_type, source_id, source_label, preconditions.
 */
export const tasks = sql`(
  select org_id, id, number, app_id, account_id, action, status, execute_after, created_at, created_by, released_at, released_by, blocked_at,
    waits_for, hold_id, dispatched_at, ended_at, ended_reason, preempted_by, left_out, error, confirmed, retry_of, attempt, task_type, source_type, source_id, source_label, preconditions
  from task)`;

/** The kind and the id of the decision behind the task with this alias, as grants name it. That of a task by hand is the task. */
export const decisionOfTask = (
  task: string,
): { kind: RawBuilder<GrantKind | 'review'>; id: RawBuilder<string> } => {
  const column = (name: string) => sql.ref(`${task}.${name}`);
  return {
    kind: sql`case ${column('source_type')} when 'ticket' then 'request' when 'review_item' then 'review' when 'policy' then 'policy'
      when 'restore' then 'restore' else case ${column('task_type')} when 'POLICY' then 'policy' when 'APPROVAL_WORKFLOW' then 'request'
      else 'manual' end end`,
    id: sql`coalesce(${column('source_id')}, ${column('id')})`,
  };
};

/** Whether the task with this alias takes away what a grant gave whose time is over. */
export const isEnd = (task: string): RawBuilder<boolean> =>
  sql`${sql.ref(`${task}.preconditions`)} @> '[{"kind": "no_grant"}]'`;

/** Whether a task whose turn has come takes a group or license of an account away. The ids are SQL expressions. */
export const isBeingTaken = (
  org: Org,
  accountId: RawBuilder<unknown>,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from task taking
  join task_change lost on lost.org_id = ${org.orgId} and lost.task_id = taking.id and lost.entitlement_id = ${entitlementId}
    and not lost.added and not lost.spared
  where taking.org_id = ${org.orgId} and taking.account_id = ${accountId} and (taking.status = 'pending'
    or taking.status = 'scheduled' and (taking.waits_for is not null or taking.execute_after <= clock_now())))`;

/**
 * The groups and licenses that completed tasks took away from accounts, with the last time. Columns: account_id, entitlement_id, ended_at. `within`
 * is a condition on the id of an account.
 */
export const lastRemovals = (
  org: Org,
  within: (accountId: RawBuilder<unknown>) => RawBuilder<boolean>,
): RawBuilder<unknown> => sql`(
  select done.account_id, lost.entitlement_id, max(done.ended_at) as ended_at
  from task done
  join task_change lost on lost.org_id = ${org.orgId} and lost.task_id = done.id and not lost.added and not lost.spared
  where done.org_id = ${org.orgId} and done.status = 'completed' and ${within(sql`done.account_id`)}
  group by done.account_id, lost.entitlement_id)`;

/** The text of sentences in a JSON array. Null if it is null. */
export const wordsOf = (sentences: RawBuilder<unknown>): RawBuilder<string | null> => sql`(
  select string_agg(one ->> 'text', ' ' order by n) from jsonb_array_elements(${sentences}) with ordinality as all_of (one, n))`;

/** The scheduled and pending tasks, with the columns of `tasks`. */
export const openTasks = sql`(select * from ${tasks} every where every.status in ('scheduled', 'pending'))`;

/** The ids, as text[], of the entitlements that the task of an organization with this alias adds or removes. */
export const changedEntitlements = (
  org: Org,
  task: string,
  added: boolean,
): RawBuilder<string[]> => sql`array(
  select fc.entitlement_id::text from task_change fc
  where fc.org_id = ${org.orgId} and fc.task_id = ${sql.ref(`${task}.id`)}
    and fc.added = ${sql.lit(added)})`;

/** Whether the task with this alias gives an account, its use, or an entitlement. */
export const givesAccess = (org: Org, task: string): RawBuilder<boolean> => sql<boolean>`(
  ${sql.ref(`${task}.action`)} in ('create_account', 'unsuspend_account')
  or ${changedEntitlements(org, task, true)} <> '{}')`;

/** Whether the task with this alias left out what it should have changed: an entitlement, as an SQL expression. */
export const leftOut = (
  org: Org,
  task: string,
  entitlementId: RawBuilder<unknown>,
): RawBuilder<boolean> => sql`exists (
  select from task_change fc
  where fc.org_id = ${org.orgId} and fc.task_id = ${sql.ref(`${task}.id`)} and fc.entitlement_id = ${entitlementId}
    and fc.spared)`;

/**
 * The last attempt at a task: the task itself, or the latest retry of it. `taskId` is an SQL expression. At most
 * one row, with the columns of `tasks`; use it as a lateral join on few rows. `lateral` and `offset 0` keep the planner from looking for
 * `made` once for each task of the organization where it knows little about the table.
 */
export const latestAttempt = (org: Org, taskId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select last.* from (
    select * from ${tasks} every where every.org_id = ${org.orgId} and every.id = ${taskId} offset 0) made
  cross join lateral (
    select * from ${tasks} later where later.org_id = ${org.orgId} and later.source_id = made.source_id
      and later.source_type = made.source_type and later.number >= made.number and later.account_id = made.account_id
      and later.action = made.action
    order by later.number desc limit 1) last)`;

/** The last attempt at each task with a source among `sourceIds`, an SQL array, with the columns of `tasks`. */
export const latestAttempts = (
  org: Org,
  sourceType: TaskSource['type'],
  sourceIds: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`(
  select distinct on (every.source_id, every.account_id, every.action) every.* from ${tasks} every
  where every.org_id = ${org.orgId} and every.source_type = ${sourceType} and every.source_id = any(${sourceIds})
  order by every.source_id, every.account_id, every.action, every.number desc)`;

/**
 * When a task with this alias was decided: when the first of its attempts was created. A retry, or a task in place of another one, decides
 * nothing new.
 */
export const decidedAt = (org: Org, task: string): RawBuilder<Date> => {
  const column = (name: string) => sql.ref(`${task}.${name}`);
  return sql`(case when ${column('retry_of')} is null then ${column('created_at')} else (
    with recursive attempt (retry_of, created_at) as (
      select one.retry_of, one.created_at from task one
      where one.org_id = ${org.orgId} and one.id = ${column('retry_of')}
      union all
      select one.retry_of, one.created_at from attempt later
      join task one on one.org_id = ${org.orgId} and one.id = later.retry_of)
    select min(attempt.created_at) from attempt) end)`;
};

/** Whether the task with this alias runs only while a person is not active. `userId` is an SQL expression. */
export const waitsForLeaving = (task: string, userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  ${sql.ref(`${task}.preconditions`)}
    @> jsonb_build_array(jsonb_build_object('kind', 'user_inactive', 'user_id', ${userId}))`;

/** Whether the task with this alias runs only while a person is active. `userId` is an SQL expression. */
export const needsPerson = (task: string, userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`
  ${sql.ref(`${task}.preconditions`)}
    @> jsonb_build_array(jsonb_build_object('kind', 'user_active', 'user_id', ${userId}))`;

/** Returns the number of held tasks of each of these apps, by app, without zeros. */
export async function countHeldTasks(db: OrgDb, appIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await many<{ app_id: string; n: number }>(db)`
    select app_id, count(*) as n from task
    where org_id = ${db.orgId} and app_id = any(${appIds}::uuid[])
      and status = 'scheduled' and waits_for in ('confirmation', 'undecided')
    group by app_id`;
  return new Map(rows.map(({ app_id, n }) => [app_id, n]));
}

/**
 * The apps whose tasks exceed the daily budget and wait for confirmation (D46): how many of the app's accounts with access they concern,
 * the number of tasks, its limit, and since when they wait. Columns: app_id, accounts, tasks, of, percent, since.
 */
export const appsOnBudgetHold = (org: Org): RawBuilder<unknown> => sql`(
  select held.app_id, held.accounts, held.tasks, coalesce((
      select sum(n.n) from account_count n
      where n.org_id = ${org.orgId} and n.app_id = held.app_id and n.status in ('INVITED', 'ACTIVE', 'SUSPENDED')), 0)::integer as of,
    (p.removal_guard ->> 'percent')::double precision as percent, held.since
  from (
    select t.app_id, count(distinct t.account_id)::integer as accounts, count(*)::integer as tasks,
      min(coalesce(t.blocked_at, t.created_at)) as since
    from task t where t.org_id = ${org.orgId} and t.status = 'scheduled' and t.waits_for = 'confirmation' group by t.app_id) held
  join app p on p.org_id = ${org.orgId} and p.id = held.app_id)`;

/** Returns those of the apps of which somebody has fetched a task. */
export async function findFetchedApps(db: OrgDb, appIds: string[]): Promise<Set<string>> {
  const rows = await many<{ id: string }>(db)`
    select a.id from app a where a.org_id = ${db.orgId} and a.id = any(${appIds}::uuid[]) and exists (
      select from task t where t.org_id = ${db.orgId} and t.app_id = a.id and t.dispatched_at is not null)`;
  return new Set(rows.map(({ id }) => id));
}
