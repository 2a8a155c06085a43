import type { Org, OrgDb, OrgTx } from '#kit/database.ts';
import { exists, many, one, run, sql, value } from '#kit/sql.ts';
import type { Action } from '#work/provisioning/task.ts';
import type { Instructions } from '../instructions.ts';

/** How the tasks of an app are carried out by people. */
export interface Settings {
  enabled: boolean;
  /** `owner`: every task goes to the owner of the app. */
  assignment: 'round_robin' | 'owner';
  people: string[];
  groups: string[];
  instructions: Instructions;
  due_in_working_days: Partial<Record<Action, number>>;
  /** Zero: no reminder before the due date. */
  remind_before_working_days: number;
  escalate_after_working_days: number | null;
}

/** A deleted group leaves its row behind. */
const members = (org: Org, appId: string, kind: 'person' | 'group') => sql`array(
  select f.member_id::text from fulfiller f
  where f.org_id = ${org.orgId} and f.app_id = ${appId} and f.kind = ${sql.lit(kind)}
    and (f.kind = 'person' or exists (
      select from person_group g where g.org_id = ${org.orgId} and g.id = f.member_id))
  order by f.member_id)`;

export const findSettings = (db: OrgDb, appId: string) => one<Settings>(db)`
    select s.enabled, s.assignment, s.instructions, s.due_in_working_days, s.remind_before_working_days,
      s.escalate_after_working_days, ${members(db, appId, 'person')} as people,
      ${members(db, appId, 'group')} as groups
    from fulfillment_setting s where s.org_id = ${db.orgId} and s.app_id = ${appId}`;

export const hasOwner = (db: OrgDb, appId: string) => exists(db)`
    select from app where org_id = ${db.orgId} and id = ${appId} and owner_id is not null`;

/** Returns the apps, without archived ones, whose tasks this person carries out by name. */
export const appsFulfilledBy = (db: OrgDb, userId: string) => many<{ id: string; name: string }>(db)`
    select p.id, p.name from fulfiller f join app p on p.org_id = ${db.orgId} and p.id = f.app_id
    where f.org_id = ${db.orgId} and f.kind = 'person' and f.member_id = ${userId} and p.archived_at is null
    order by p.id`;

/** Makes changes of an app's settings and assignments of its tasks wait for each other until `tx` ends. */
export async function lockSettings(tx: OrgTx, appId: string): Promise<boolean> {
  return (
    (await value<boolean | undefined>(tx)`
    select enabled from fulfillment_setting where org_id = ${tx.orgId} and app_id = ${appId} for no key update`) ===
    true
  );
}

export async function saveSettings(tx: OrgTx, appId: string, to: Settings): Promise<void> {
  await run(tx)`
    insert into fulfillment_setting as s (org_id, app_id, enabled, assignment, instructions, due_in_working_days,
      remind_before_working_days, escalate_after_working_days, updated_at)
    values (${tx.orgId}, ${appId}, ${to.enabled}, ${to.assignment}, ${JSON.stringify(to.instructions)}::jsonb,
      ${JSON.stringify(to.due_in_working_days)}::jsonb, ${to.remind_before_working_days},
      ${to.escalate_after_working_days}, clock_timestamp())
    on conflict (org_id, app_id) do update set enabled = excluded.enabled, assignment = excluded.assignment,
      instructions = excluded.instructions, due_in_working_days = excluded.due_in_working_days,
      remind_before_working_days = excluded.remind_before_working_days,
      escalate_after_working_days = excluded.escalate_after_working_days, updated_at = excluded.updated_at`;
  await deleteFulfillers(tx, appId);
  await run(tx)`
    insert into fulfiller (org_id, app_id, kind, member_id)
    select ${tx.orgId}::uuid, ${appId}::uuid, 'person', unnest(${to.people}::uuid[])
    union all select ${tx.orgId}::uuid, ${appId}::uuid, 'group', unnest(${to.groups}::uuid[])`;
}

const deleteFulfillers = (tx: OrgTx, appId: string) =>
  run(tx)`delete from fulfiller where org_id = ${tx.orgId} and app_id = ${appId}`;

/** Returns how many of these groups exist. */
export const countGroups = (db: OrgDb, ids: string[]) => value<number>(db)`
    select count(*) as n from person_group where org_id = ${db.orgId} and id = any(${ids}::uuid[])`;
