import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import type { Attempt, Jobs } from '../platform/jobs/jobs.ts';
import { addToCounts, emptyCounts } from '../provisioning/plan-counts.ts';
import { planWindows } from './plan.ts';
import { getPolicy } from './policies.ts';
import { preparePolicy } from './prepare.ts';
import { type PreviewedTask, previewedTask } from './previewed-task.ts';
import { findPolicy } from './queries/policies.ts';
import * as queries from './queries/previews.ts';

export type { PreviewState } from './queries/previews.ts';

/** Previews are kept for a day. */
const KEPT_HOURS = 24;
const PREVIEW_JOB = 'policies.preview';

/** Begins to list all tasks that the policy would create now. A job writes the list. Creates no tasks. */
export async function startPreview(
  { db, jobs }: { db: Db; jobs: Jobs },
  principal: Principal,
  policyId: string,
): Promise<queries.PreviewState> {
  const { orgId } = principal;
  const policy = await getPolicy(db, principal, policyId);
  const id = await transaction(db, async (tx) => {
    const previewId = await queries.insertPreview(tx, orgId, policy, emptyCounts());
    await jobs.send(tx, PREVIEW_JOB, { orgId, previewId }, { key: previewId });
    return previewId;
  });
  return { id, status: 'running', counts: emptyCounts(), created_at: new Date() };
}

/** Returns a page of the list, as far as it has been written. 404 once it has expired. */
export async function readPreview(
  db: Db,
  principal: Principal,
  policyId: string,
  previewId: string,
  page: Page,
): Promise<queries.PreviewState & Slice<PreviewedTask>> {
  const policy = await getPolicy(db, principal, policyId);
  const { orgId } = principal;
  const state = isUuid(previewId) ? await queries.findPreview(db, orgId, policy.id, previewId) : undefined;
  if (state === undefined) throw notFound('Preview');
  return {
    ...state,
    count: state.counts.tasks,
    results: await queries.tasksOfPreview(db, orgId, previewId, page),
  };
}

export function definePreviewJobs(db: Db, jobs: Jobs) {
  jobs.define<{ orgId: string; previewId: string }>({
    name: PREVIEW_JOB,
    attempts: 3,
    work: ({ orgId, previewId }, attempt) => writePreview(db, orgId, previewId, attempt),
  });
  jobs.define({
    name: 'policies.forget-previews',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => queries.deletePreviews(db, KEPT_HOURS),
  });
}

/** Writes the list. A repeated attempt starts over. */
async function writePreview(db: Db, orgId: string, previewId: string, attempt: Attempt): Promise<void> {
  try {
    await queries.clearPreview(db, orgId, previewId, emptyCounts());
    const policyId = await queries.policyOfPreview(db, orgId, previewId);
    const policy = policyId === undefined ? undefined : await findPolicy(db, orgId, policyId);
    if (policy === undefined) return;
    const counts = emptyCounts();
    for await (const tasks of planWindows(db, orgId, await preparePolicy(db, orgId, policy), null)) {
      const first = counts.tasks;
      for (const { action, add, remove } of tasks)
        addToCounts(counts, action, 1, { added: add.length, removed: remove.length });
      await queries.addTasks(db, orgId, previewId, { first, tasks: tasks.map(previewedTask), counts });
    }
    await queries.endPreview(db, orgId, previewId, 'completed');
  } catch (error) {
    if (attempt.last) await queries.endPreview(db, orgId, previewId, 'failed');
    throw error;
  }
}
