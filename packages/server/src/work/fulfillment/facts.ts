import { accounts } from '#inventory/records/accounts/facts.ts';
import type { OrgDb } from '#kit/database.ts';
import { mayDecide } from '#kit/identity.ts';
import { exists, many, sql } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';

export const isFulfilledByPeople = (db: OrgDb, appId: string) => exists(db)`
    select from fulfillment_setting where org_id = ${db.orgId} and app_id = ${appId} and enabled`;

/** Returns those of the apps that are fulfilled by people, and whether there is somebody to whom tasks can be assigned. */
export async function findFulfilledByPeople(db: OrgDb, appIds: string[]): Promise<Map<string, boolean>> {
  const active = sql`u.org_id = ${db.orgId} and ${mayDecide('u')}`;
  const fulfillers = sql`fulfiller f where f.org_id = ${db.orgId} and f.app_id = s.app_id`;
  const rows = await many<{ app_id: string; has_people: boolean }>(db)`
    select s.app_id,
      exists (select from app p join platform_user u on ${active} and u.id = p.owner_id
        where p.org_id = ${db.orgId} and p.id = s.app_id)
      or (s.assignment = 'round_robin' and (
        exists (select from platform_user u where ${active} and u.id in (
          select f.member_id from ${fulfillers} and f.kind = 'person'))
        or exists (select from platform_user u where ${active} and u.id in (
          select m.user_id from person_group_member m where m.org_id = ${db.orgId} and m.group_id in (
            select f.member_id from ${fulfillers} and f.kind = 'group'))))) as has_people
    from fulfillment_setting s
    where s.org_id = ${db.orgId} and s.app_id = any(${appIds}::uuid[]) and s.enabled`;
  return new Map(rows.map(({ app_id, has_people }) => [app_id, has_people]));
}

/** The pending tasks of people for which nobody was found. Columns: org_id, task_id, app_id, since. */
export const unassignedTasks = sql`(
  select a.org_id, a.task_id, a.app_id, a.assigned_at as since
  from fulfillment_assignment a
  join fulfillment_setting s on s.org_id = a.org_id and s.app_id = a.app_id and s.enabled
  join ${tasks} t on t.org_id = a.org_id and t.id = a.task_id and t.status = 'pending'
  where a.assignee_id is null)`;

export interface Assignment {
  task_id: string;
  app_id: string;
  assignee_id: string | null;
  due_at: Date;
  assigned_at: Date;
  escalated_at: Date | null;
  reassign_reason: string | null;
  note: string | null;
  reported_by: string | null;
}

export const assignmentColumns = sql`
  a.task_id, a.app_id, a.assignee_id, a.due_at, a.assigned_at, a.escalated_at, a.reassign_reason, a.note, a.reported_by`;

/** Returns those of the tasks that a member sees: their own, and those of the apps that they own. */
export async function tasksVisibleTo(
  db: OrgDb,
  taskIds: readonly string[],
  userId: string,
): Promise<Set<string>> {
  const rows = await many<{ task_id: string }>(db)`
    select a.task_id from fulfillment_assignment a
    join app p on p.org_id = ${db.orgId} and p.id = a.app_id
    where a.org_id = ${db.orgId} and a.task_id = any(${taskIds}::uuid[])
      and (a.assignee_id = ${userId} or (p.owner_id = ${userId} and p.archived_at is null))`;
  return new Set(rows.map(({ task_id }) => task_id));
}

/** Returns the assignments of those of the tasks that are still to be carried out. */
export const openAssignments = (db: OrgDb, taskIds: readonly string[]) => many<Assignment>(db)`
    select ${assignmentColumns} from fulfillment_assignment a
    join ${tasks} t on t.org_id = ${db.orgId} and t.id = a.task_id and t.status = 'pending'
    where a.org_id = ${db.orgId} and a.task_id = any(${taskIds}::uuid[])`;

/** Returns the people who carry out those of the tasks that are pending. `email` is null for a task without a person. */
export const assigneesOf = (db: OrgDb, taskIds: readonly string[]) => many<{
  task_id: string;
  email: string | null;
  first_name: string;
  last_name: string;
}>(db)`
    select a.task_id, u.email, coalesce(u.first_name, '') as first_name, coalesce(u.last_name, '') as last_name
    from fulfillment_assignment a
    join ${tasks} t on t.org_id = ${db.orgId} and t.id = a.task_id and t.status = 'pending'
    left join platform_user u on u.org_id = ${db.orgId} and u.id = a.assignee_id
    where a.org_id = ${db.orgId} and a.task_id = any(${taskIds}::uuid[])`;

/** A pending task that is due soon or overdue. */
export interface Reminder {
  task_id: string;
  app_id: string;
  app_name: string;
  email: string;
  action: string;
  assignee_id: string | null;
  due_at: Date;
  /** Whole days since the due date; negative before it. */
  days_over: number;
  is_over: boolean;
  escalated: boolean;
}

/** Returns some of the open tasks whose assignees should be reminded, in the order of their ids. */
export const reminders = (db: OrgDb, after: string, limit: number) => many<Reminder>(db)`
    select a.task_id, a.app_id, p.name as app_name, c.email, t.action, a.assignee_id, a.due_at,
      a.due_at < clock_now() as is_over, a.escalated_at is not null as escalated,
      floor(extract(epoch from clock_now() - a.due_at) / 86400)::integer as days_over
    from fulfillment_setting s
    join fulfillment_assignment a on a.org_id = ${db.orgId} and a.app_id = s.app_id
    join ${tasks} t on t.org_id = ${db.orgId} and t.id = a.task_id and t.status = 'pending'
    join ${accounts} c on c.org_id = ${db.orgId} and c.id = t.account_id
    join app p on p.org_id = ${db.orgId} and p.id = s.app_id
    where s.org_id = ${db.orgId} and s.enabled and a.task_id > ${after}
      and (a.due_at < clock_now() or (s.remind_before_working_days > 0
        and after_working_days(clock_now(), s.remind_before_working_days) >= a.due_at))
    order by a.task_id limit ${limit}`;

/** The person who carries out a task by hand, and the due date. */
export interface FulfillmentOfTask {
  assignee: { external_uuid: string; email: string } | null;
  due_at: Date;
  note: string | null;
  /** The person who reported it as done or refused it. */
  reported_by: string | null;
  reporter: { external_uuid: string; email: string } | null;
}

/** Returns how people carry out a task, or null if nobody was asked to. */
export async function fulfillmentOf(db: OrgDb, taskId: string): Promise<FulfillmentOfTask | null> {
  const rows = await many<FulfillmentOfTask>(db)`
    select a.due_at, a.note, a.reported_by,
      case when a.assignee_id is not null
        then jsonb_build_object('external_uuid', a.assignee_id, 'email', coalesce(u.email, '')) end as assignee,
      case when a.reported_by is not null
        then jsonb_build_object('external_uuid', a.reported_by, 'email', coalesce(r.email, '')) end as reporter
    from fulfillment_assignment a
    left join platform_user r on r.org_id = ${db.orgId} and r.id = a.reported_by
    left join platform_user u on u.org_id = ${db.orgId} and u.id = a.assignee_id
    where a.org_id = ${db.orgId} and a.task_id = ${taskId}`;
  return rows[0] ?? null;
}
