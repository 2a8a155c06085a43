import { withNames } from '#directory/people/facts.ts';
import type { UndecidedCounts, UndecidedPeople } from '#directory/people/undecided.ts';
import { type Db, everywhere, type OrgDb, type OrgTx } from '#kit/database.ts';
import type { Page } from '#kit/pages.ts';
import { many, one, run, sql, value } from '#kit/sql.ts';
import type { PlanCounts } from '#work/provisioning/plan-counts.ts';
import type { PreviewedTask } from '../previewed-task.ts';
import type { MissingView } from '../revoked.ts';

export interface PreviewState {
  id: string;
  status: 'running' | 'completed' | 'failed';
  /** The counts of the tasks written so far. */
  counts: PlanCounts;
  /** Null until the preview is completed. */
  undecided: UndecidedPeople | null;
  not_started: number | null;
  missing: MissingView | null;
  created_at: Date;
}

export const insertPreview = (tx: OrgTx, policy: { id: string }, counts: PlanCounts) => value<string>(tx)`
    insert into policy_preview (org_id, policy_id, counts)
    values (${tx.orgId}, ${policy.id}, ${JSON.stringify(counts)}::jsonb) returning id`;

export const findPreview = (db: OrgDb, policyId: string, id: string) => one<PreviewState>(db)`
    select p.id, p.status, p.counts, ${withNames(db, sql`p.undecided`)} as undecided, p.not_started, p.missing, p.created_at
    from policy_preview p
    where p.org_id = ${db.orgId} and p.id = ${id} and p.policy_id = ${policyId}`;

export const policyOfPreview = (db: OrgDb, id: string) => value<string | undefined>(db)`
    select policy_id from policy_preview where org_id = ${db.orgId} and id = ${id}`;

export async function tasksOfPreview(
  db: OrgDb,
  previewId: string,
  { limit, offset }: Page,
): Promise<PreviewedTask[]> {
  const rows = await many<{ task: Omit<PreviewedTask, 'execute_after'> & { execute_after: string } }>(db)`
    select task from policy_preview_task
    where org_id = ${db.orgId} and preview_id = ${previewId} and number >= ${offset}
    order by number limit ${limit}`;
  return rows.map(({ task }) => ({ ...task, execute_after: new Date(task.execute_after) }));
}

export async function clearPreview(db: OrgDb, id: string, counts: PlanCounts): Promise<void> {
  await run(db)`delete from policy_preview_task where org_id = ${db.orgId} and preview_id = ${id}`;
  await run(db)`
    update policy_preview set counts = ${JSON.stringify(counts)}::jsonb where org_id = ${db.orgId} and id = ${id}`;
}

/** Adds tasks to a preview, numbered from `first`, and sets the counts, in one statement. */
export const addTasks = (
  db: OrgDb,
  id: string,
  { first, tasks, counts }: { first: number; tasks: readonly PreviewedTask[]; counts: PlanCounts },
) => run(db)`
    with counted as (
      update policy_preview set counts = ${JSON.stringify(counts)}::jsonb where org_id = ${db.orgId} and id = ${id} returning id)
    insert into policy_preview_task (org_id, preview_id, number, task)
    select ${db.orgId}, counted.id, ${first} + t.number - 1, t.value
    from counted cross join jsonb_array_elements(${JSON.stringify(tasks)}::jsonb) with ordinality as t (value, number)`;

export const endPreview = (
  db: OrgDb,
  id: string,
  status: 'completed' | 'failed',
  found: { undecided: UndecidedCounts; missing: MissingView; notStarted: number } | null = null,
) => run(db)`
    update policy_preview set status = ${status}, undecided = ${found && JSON.stringify(found.undecided)}::jsonb,
      missing = ${found && JSON.stringify(found.missing)}::jsonb, not_started = ${found?.notStarted ?? null}
    where org_id = ${db.orgId} and id = ${id}`;

export const deletePreviews = (db: Db, olderThanHours: number) => run(everywhere(db))`
    delete from policy_preview where created_at < clock_now() - ${olderThanHours} * interval '1 hour'`;
