import type { Org, OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, one, sql } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import { type Asked, type AssignmentFilter, assignmentFilters } from '../filters.ts';

interface Reference {
  external_uuid: string;
  email: string;
}

/** The assignment of a task as lists show it. */
export interface Listed {
  task_id: string;
  assignee: Reference | null;
  assigned_at: Date;
  due_at: Date;
  overdue: boolean;
  note: string | null;
  attachments: number;
}

const person = (id: string) => sql`
  case when ${sql.ref(id)} is not null then jsonb_build_object('external_uuid', ${sql.ref(id)}, 'email', coalesce(u.email, '')) end`;

const listed = (org: Org) => sql`
  a.task_id, ${person('a.assignee_id')} as assignee, a.assigned_at, a.due_at, a.note,
  t.status = 'pending' and a.due_at < clock_now() as overdue,
  (select count(*)::integer from fulfillment_attachment f where f.org_id = ${org.orgId} and f.task_id = a.task_id) as attachments`;

const joined = (org: Org) => sql`
  from fulfillment_assignment a
  join ${tasks} t on t.org_id = ${org.orgId} and t.id = a.task_id
  left join platform_user u on u.org_id = ${org.orgId} and u.id = a.assignee_id`;

export const findListed = (db: OrgDb, taskId: string) => one<Listed>(db)`
    select ${listed(db)} ${joined(db)} where a.org_id = ${db.orgId} and a.task_id = ${taskId}`;

/** Lists tasks that people carry out: the open ones by due date, the ended ones from the newest. */
export async function listAssignments(
  asked: Asked,
  { state = 'open', ...filter }: AssignmentFilter,
  page: Page,
): Promise<Slice<Listed>> {
  const { orgId, userId, apps, member } = asked;
  const others = [sql`a.org_id = ${orgId}`];
  if (apps !== null) others.push(sql`a.app_id = any(${apps}::uuid[])`);
  if (member)
    others.push(sql`(a.assignee_id = ${userId} or exists (
      select from app p where p.org_id = ${orgId} and p.id = a.app_id and p.owner_id = ${userId}))`);
  const from = sql`${joined(asked)} where ${assignmentFilters.where(asked, { state, ...filter }, ...others)}`;
  const counted = await countFor(asked, page)`select ${from}`;
  const order = state === 'open' ? sql`a.due_at, t.number` : sql`t.ended_at desc, t.number desc`;
  const rows = await many<Listed>(asked)`
    select ${listed(asked)}
    ${from} order by ${order} limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}
