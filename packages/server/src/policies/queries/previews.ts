import { sql } from 'kysely';
import { acrossOrganizations } from '../../platform/database/cluster.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import type { Page } from '../../platform/http/lists.ts';
import type { PlanCounts } from '../../provisioning/plan-counts.ts';
import type { PreviewedTask } from '../previewed-task.ts';

export interface PreviewState {
  id: string;
  status: 'running' | 'completed' | 'failed';
  /** Of the tasks written so far. */
  counts: PlanCounts;
  created_at: Date;
}

export async function insertPreview(
  tx: Tx,
  orgId: string,
  policy: { id: string },
  counts: PlanCounts,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into policy_preview (org_id, policy_id, counts)
    values (${orgId}, ${policy.id}, ${JSON.stringify(counts)}::jsonb) returning id`.execute(tx);
  return rows[0]?.id as string;
}

export async function findPreview(
  db: Db,
  orgId: string,
  policyId: string,
  id: string,
): Promise<PreviewState | undefined> {
  const { rows } = await sql<PreviewState>`
    select id, status, counts, created_at from policy_preview
    where org_id = ${orgId} and id = ${id} and policy_id = ${policyId}`.execute(db);
  return rows[0];
}

export async function policyOfPreview(db: Db, orgId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ policy_id: string }>`
    select policy_id from policy_preview where org_id = ${orgId} and id = ${id}`.execute(db);
  return rows[0]?.policy_id;
}

export async function tasksOfPreview(
  db: Db,
  orgId: string,
  previewId: string,
  { limit, offset }: Page,
): Promise<PreviewedTask[]> {
  const { rows } = await sql<{ task: PreviewedTask }>`
    select task from policy_preview_task
    where org_id = ${orgId} and preview_id = ${previewId} and number >= ${offset}
    order by number limit ${limit}`.execute(db);
  return rows.map(({ task }) => task);
}

export async function clearPreview(db: Db, orgId: string, id: string, counts: PlanCounts): Promise<void> {
  await sql`delete from policy_preview_task where org_id = ${orgId} and preview_id = ${id}`.execute(db);
  await sql`
    update policy_preview set counts = ${JSON.stringify(counts)}::jsonb where org_id = ${orgId} and id = ${id}`.execute(
    db,
  );
}

/** Adds tasks to a preview, numbered from `first`, and sets the counts, in one statement. */
export async function addTasks(
  db: Db,
  orgId: string,
  id: string,
  { first, tasks, counts }: { first: number; tasks: readonly PreviewedTask[]; counts: PlanCounts },
): Promise<void> {
  await sql`
    with counted as (
      update policy_preview set counts = ${JSON.stringify(counts)}::jsonb where org_id = ${orgId} and id = ${id} returning id)
    insert into policy_preview_task (org_id, preview_id, number, task)
    select ${orgId}, counted.id, ${first} + t.number - 1, t.value
    from counted cross join jsonb_array_elements(${JSON.stringify(tasks)}::jsonb) with ordinality as t (value, number)`.execute(
    db,
  );
}

export async function endPreview(
  db: Db,
  orgId: string,
  id: string,
  status: 'completed' | 'failed',
): Promise<void> {
  await sql`update policy_preview set status = ${status} where org_id = ${orgId} and id = ${id}`.execute(db);
}

export async function deletePreviews(db: Db, olderThanHours: number): Promise<void> {
  const deletion = sql`
    delete from policy_preview where created_at < clock_now() - ${olderThanHours} * interval '1 hour'`;
  await acrossOrganizations(db, (tx) => deletion.execute(tx));
}
