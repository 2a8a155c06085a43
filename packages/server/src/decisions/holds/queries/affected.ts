import type { OrgDb } from '#kit/database.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { countFor, many, sql } from '#kit/sql.ts';
import { tasks } from '#work/provisioning/facts.ts';
import type { Hold, HoldPerson, HoldPreview } from '../schemas.ts';

/** Lists the people of a hold, the latest first. */
export async function listAffected(db: OrgDb, holdId: string, page: Page): Promise<Slice<HoldPerson>> {
  const counted = await countFor(db, page)`
    select from hold_change where org_id = ${db.orgId} and window_id = ${holdId}`;
  const rows = await many<HoldPerson>(db)`
    select c.type, c.at, coalesce(u.status, 'deleted') as status,
      jsonb_build_object('external_uuid', c.user_id, 'email', coalesce(u.email, ''),
        'first_name', coalesce(u.first_name, ''), 'last_name', coalesce(u.last_name, '')) as user
    from hold_change c left join platform_user u on u.org_id = ${db.orgId} and u.id = c.user_id
    where c.org_id = ${db.orgId} and c.window_id = ${holdId}
    order by c.at desc, c.user_id limit ${page.limit} offset ${page.offset}`;
  return { ...counted, results: rows };
}

/** Counts the tasks that wait in a hold, or those of an app that exceed its budget. */
export async function waitingTasks(
  db: OrgDb,
  { id, app, status }: Pick<Hold, 'id' | 'app' | 'status'>,
): Promise<HoldPreview['tasks']> {
  const waits =
    app !== null
      ? sql`t.app_id = ${app.id} and t.waits_for = 'confirmation' and ${status} = 'open'`
      : sql`t.hold_id = ${id} and t.waits_for = 'hold'`;
  return many<HoldPreview['tasks'][number]>(db)`
    select jsonb_build_object('id', p.id, 'name', p.name) as app, t.action, count(*) as count
    from ${tasks} t join app p on p.org_id = ${db.orgId} and p.id = t.app_id
    where t.org_id = ${db.orgId} and t.status = 'scheduled' and ${waits}
    group by p.id, p.name, t.action order by p.name, p.id, t.action`;
}

/** Returns the policies that have held something back, with the number of tasks that they would have created. */
export const heldBack = (db: OrgDb, holdId: string) => many<HoldPreview['policies'][number]>(db)`
    select policy_id, count(*) as subjects, sum(tasks)::float8 as tasks from hold_firing
    where org_id = ${db.orgId} and hold_id = ${holdId} and tasks > 0 group by policy_id order by policy_id`;
