import { sql } from 'kysely';
import type { Org, OrgDb } from '../../../kit/database/organization.ts';
import { countLimit, countOf, type Page, type Slice } from '../../../kit/http/lists.ts';
import { tasks } from '../../provisioning/facts.ts';

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

export interface ListFilter {
  state: 'open' | 'ended';
  app: string | null;
  /** Null: all apps. */
  apps: string[] | null;
  /** The tasks of this assignee only. */
  assignee: string | null;
  /** A member sees their own tasks and those of the apps that they own. Null: all tasks. */
  visibleTo: string | null;
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

export async function findListed(db: OrgDb, taskId: string): Promise<Listed | undefined> {
  const { rows } = await sql<Listed>`
    select ${listed(db)} ${joined(db)} where a.org_id = ${db.orgId} and a.task_id = ${taskId}`.execute(db);
  return rows[0];
}

/** Lists tasks that people carry out: the open ones by due date, the ended ones from the newest. */
export async function listAssignments(
  db: OrgDb,
  { state, app, apps, assignee, visibleTo }: ListFilter,
  page: Page,
): Promise<Slice<Listed>> {
  const parts = [
    state === 'open'
      ? sql`t.status = 'pending' and exists (
          select from fulfillment_setting s where s.org_id = ${db.orgId} and s.app_id = a.app_id and s.enabled)`
      : sql`t.status not in ('scheduled', 'pending')`,
  ];
  if (app !== null) parts.push(sql`a.app_id = ${app}`);
  if (apps !== null) parts.push(sql`a.app_id = any(${apps}::uuid[])`);
  if (assignee !== null) parts.push(sql`a.assignee_id = ${assignee}`);
  if (visibleTo !== null)
    parts.push(sql`(a.assignee_id = ${visibleTo} or exists (
      select from app p where p.org_id = ${db.orgId} and p.id = a.app_id and p.owner_id = ${visibleTo}))`);
  const from = sql`${joined(db)}
    where a.org_id = ${db.orgId} and ${sql.join(parts, sql` and `)}`;
  const counted = await sql<{ n: number }>`
    select count(*) as n from (select ${from} limit ${countLimit(page)}) as found`.execute(db);
  const order = state === 'open' ? sql`a.due_at, t.number` : sql`t.ended_at desc, t.number desc`;
  const { rows } = await sql<Listed>`
    select ${listed(db)}
    ${from} order by ${order} limit ${page.limit} offset ${page.offset}`.execute(db);
  return { ...countOf(counted.rows[0]?.n ?? 0, page), results: rows };
}
