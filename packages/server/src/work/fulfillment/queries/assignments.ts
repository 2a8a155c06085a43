import { isAway, levelOf } from '#directory/deciders/facts.ts';
import { comingAbsences } from '#directory/people/deputy-facts.ts';
import { accounts } from '#inventory/records/accounts/facts.ts';
import { type Db, everywhere, type OrgDb, type OrgTx, secondsUntilFirst } from '#kit/database.ts';
import { isActiveOrganization } from '#kit/identity.ts';
import { many, one, run, sql, value, values } from '#kit/sql.ts';
import { openTasks } from '#work/provisioning/facts.ts';
import type { Action } from '#work/provisioning/task.ts';
import { type Assignment, assignmentColumns } from '../facts.ts';
import { mayCarryOut } from './people.ts';

/** The pending tasks `t` of apps that people fulfill. */
const tasksOfPeople = sql`
  fulfillment_setting s join ${openTasks} t on t.org_id = s.org_id and t.app_id = s.app_id
    and t.status = 'pending' and s.enabled and ${isActiveOrganization('s.org_id')}`;

/** Returns the organizations with tasks that people carry out. */
export const organizationsThatFulfill = (db: Db) =>
  many<{ org_id: string }>(everywhere(db))`select distinct s.org_id from ${tasksOfPeople}`;

const isToEscalate = sql`(
  a.escalated_at is null and s.escalate_after_working_days is not null
  and ${levelOf(sql`a.due_at`, sql`s.escalate_after_working_days`)} >= 1)`;

/** Somebody is looked for so long after the last time. */
const CHECK_AGAIN = sql.raw(`interval '1 minute'`);

/** A check that became due while assignments were read. */
const JUST_NOW = sql.raw(`clock_now() - interval '5 seconds'`);

const assignedTasks = sql`
  ${tasksOfPeople} join fulfillment_assignment a on a.org_id = t.org_id and a.task_id = t.id`;

/**
 * Returns the seconds until time may change who carries out a task: as the assignee's absence begins, as a task has been overdue for too
 * long, and a minute after somebody was last looked for. At most 0 if a task is new. Events report who may carry out tasks.
 */
export const untilReassignment = (db: Db) => secondsUntilFirst(db)`
    select t.created_at as at from ${tasksOfPeople}
    where not exists (select from fulfillment_assignment a where a.org_id = t.org_id and a.task_id = t.id)
    union all
    select greatest(a.checked_at + ${CHECK_AGAIN}, a.assigned_at) from ${assignedTasks}
    where a.assignee_id is null or a.checked_at + ${CHECK_AGAIN} > ${JUST_NOW}
    union all
    select greatest(a.checked_at + ${CHECK_AGAIN}, b.starts_at) from ${assignedTasks}
    join ${comingAbsences} b on b.org_id = a.org_id and b.user_id = a.assignee_id
    union all
    select greatest(a.checked_at + ${CHECK_AGAIN}, after_working_days(a.due_at, s.escalate_after_working_days))
    from ${assignedTasks}
    where a.escalated_at is null and s.escalate_after_working_days is not null`;

/** A pending task without an assignee, or with one who should not keep it. */
export interface Unsettled {
  task_id: string;
  app_id: string;
  is_new: boolean;
  /** Whether the assignee can no longer carry it out at all. */
  unable: boolean;
  away: boolean;
  overdue: boolean;
}

/** Returns pending tasks to assign or reassign, oldest first. `only` names one app. */
export const unsettledTasks = (db: OrgDb, limit: number, only: string | null = null) => many<Unsettled>(db)`
    select * from (
      select t.id as task_id, t.app_id, t.number, a.task_id is null as is_new, a.checked_at,
        not coalesce(${mayCarryOut(db, sql`s.app_id`, sql`p.owner_id`)} and c.user_id is distinct from u.id, false) as unable,
        coalesce(${isAway(db, 'u')}, false) as away, coalesce(${isToEscalate}, false) as overdue
      from fulfillment_setting s
      join app p on p.org_id = ${db.orgId} and p.id = s.app_id
      join ${openTasks} t on t.org_id = ${db.orgId} and t.app_id = s.app_id and t.status = 'pending'
      join ${accounts} c on c.org_id = ${db.orgId} and c.id = t.account_id
      left join fulfillment_assignment a on a.org_id = ${db.orgId} and a.task_id = t.id
      left join platform_user u on u.org_id = ${db.orgId} and u.id = a.assignee_id
      where s.org_id = ${db.orgId} and s.enabled and (${only}::uuid is null or s.app_id = ${only}::uuid)
    ) every
    where is_new or (checked_at <= clock_now() - ${CHECK_AGAIN} and (unable or away or overdue))
    order by number limit ${limit}`;

export const findAssignment = (db: OrgDb, taskId: string) => one<Assignment>(db)`
    select ${assignmentColumns} from fulfillment_assignment a where a.org_id = ${db.orgId} and a.task_id = ${taskId}`;

/** Returns the pending tasks that are assigned to a person. */
export const pendingTasksOf = (db: OrgDb, personId: string) => values<string>(db)`
    select t.id from ${tasksOfPeople} join fulfillment_assignment a on a.org_id = ${db.orgId} and a.task_id = t.id
    where s.org_id = ${db.orgId} and t.org_id = ${db.orgId} and a.assignee_id = ${personId} order by t.id`;

/** Locks assignments by id, after their tasks in the order of locks. */
export const lockAssignments = (tx: OrgTx, taskIds: string[]) => many<Assignment>(tx)`
    select ${assignmentColumns} from fulfillment_assignment a
    where a.org_id = ${tx.orgId} and a.task_id = any(${taskIds}::uuid[])
    order by a.task_id for no key update`;

/** Assigns a new task. Returns when it is due. */
export const insertAssignment = (
  tx: OrgTx,
  { taskId, appId, assignee, days }: { taskId: string; appId: string; assignee: string | null; days: number },
) => value<Date | undefined>(tx)`
    insert into fulfillment_assignment (org_id, task_id, app_id, assignee_id, assigned_at, due_at, checked_at)
    values (${tx.orgId}, ${taskId}, ${appId}, ${assignee}, clock_timestamp(),
      after_working_days(clock_timestamp(), ${days}), '-infinity')
    on conflict do nothing returning due_at`;

// Citus refuses a function of the time in an expression with a column.
const escalatedAt = (escalated: boolean) => (escalated ? sql`clock_now()` : sql`escalated_at`);

export const setAssignee = (
  tx: OrgTx,
  taskId: string,
  to: { assignee: string | null; reason: string | null; escalated: boolean },
) => run(tx)`
    update fulfillment_assignment
    set assignee_id = ${to.assignee}, reassign_reason = ${to.reason}, assigned_at = clock_now(),
      checked_at = '-infinity', escalated_at = ${escalatedAt(to.escalated)}
    where org_id = ${tx.orgId} and task_id = ${taskId}`;

/** Notes that nobody else can take the task now. */
export const setChecked = (tx: OrgTx, taskId: string, escalated: boolean) => run(tx)`
    update fulfillment_assignment set checked_at = clock_now(), escalated_at = ${escalatedAt(escalated)}
    where org_id = ${tx.orgId} and task_id = ${taskId}`;

export const setReported = (
  tx: OrgTx,
  taskId: string,
  { by, note }: { by: string; note: string | null },
) => run(tx)`
    update fulfillment_assignment set reported_by = ${by}, note = ${note}
    where org_id = ${tx.orgId} and task_id = ${taskId}`;

/** Gives the pending tasks of an app with this action new due dates, counted from now. */
export const restartDueDates = (tx: OrgTx, appId: string, action: Action, days: number) => run(tx)`
    update fulfillment_assignment
    set due_at = after_working_days(clock_now(), ${days}), escalated_at = null
    where org_id = ${tx.orgId} and app_id = ${appId} and task_id in (
      select t.id from ${openTasks} t
      where t.org_id = ${tx.orgId} and t.app_id = ${appId} and t.action = ${action} and t.status = 'pending')`;
