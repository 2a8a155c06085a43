import { countsOf, UndecidedSubjects } from '#directory/people/undecided.ts';
import { type Db, type OrgDb, transaction, within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Attempt, Jobs } from '#kit/jobs/jobs.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { addToCounts, emptyCounts } from '#work/provisioning/plan-counts.ts';
import { addAhead } from './plan.ts';
import { getPolicy } from './policies.ts';
import { preparePolicy } from './prepare.ts';
import { type PreviewedTask, previewedTasks } from './previewed-task.ts';
import { findPolicy } from './queries/policies.ts';
import * as queries from './queries/previews.ts';
import { addMissing, missingView, NOTHING_MISSING, type SomeMissing } from './revoked.ts';
import { planWindows } from './windows.ts';

/** Previews are kept for a day. */
const KEPT_HOURS = 24;
const PREVIEW_JOB = 'policies.preview';

/** Begins to list all tasks that the policy would create now. A job writes the list. Creates no tasks. */
export async function startPreview(
  { jobs }: { db: Db; jobs: Jobs },
  call: Call,
  policyId: string,
): Promise<queries.PreviewState> {
  const policy = await getPolicy(call, policyId);
  const id = await transaction(call, async (tx) => {
    const previewId = await queries.insertPreview(tx, policy, emptyCounts());
    await jobs.send(tx.db, PREVIEW_JOB, { orgId: call.orgId, previewId }, { key: previewId });
    return previewId;
  });
  return {
    id,
    status: 'running',
    counts: emptyCounts(),
    undecided: null,
    not_started: null,
    missing: null,
    created_at: new Date(),
  };
}

/** Returns a page of the list, as far as it has been written. 404 once it has expired. */
export async function readPreview(
  call: Call,
  policyId: string,
  previewId: string,
  page: Page,
): Promise<queries.PreviewState & Slice<PreviewedTask>> {
  const policy = await getPolicy(call, policyId);
  const state = isUuid(previewId) ? await queries.findPreview(call, policy.id, previewId) : undefined;
  if (state === undefined) throw notFound('Preview');
  return {
    ...state,
    count: state.counts.tasks,
    results: await queries.tasksOfPreview(call, previewId, page),
  };
}

export function definePreviewJobs(db: Db, jobs: Jobs) {
  jobs.define<{ orgId: string; previewId: string }>({
    name: PREVIEW_JOB,
    attempts: 3,
    work: ({ orgId, previewId }, attempt) => writePreview(within(db, orgId), previewId, attempt),
  });
  jobs.define({
    name: 'policies.forget-previews',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => queries.deletePreviews(db, KEPT_HOURS),
  });
}

/** Writes the list. A repeated attempt starts over. */
async function writePreview(db: OrgDb, previewId: string, attempt: Attempt): Promise<void> {
  try {
    await queries.clearPreview(db, previewId, emptyCounts());
    const policyId = await queries.policyOfPreview(db, previewId);
    const policy = policyId === undefined ? undefined : await findPolicy(db, policyId);
    if (policy === undefined) return;
    const counts = emptyCounts();
    const undecided = new UndecidedSubjects();
    const prepared = await preparePolicy(db, policy);
    const ahead = new Set<string>();
    let missing: SomeMissing = NOTHING_MISSING;
    for await (const { tasks, missing: more } of planWindows(db, prepared, null, undecided)) {
      addAhead(ahead, tasks, prepared.today);
      missing = addMissing(missing, more);
      const first = counts.tasks;
      for (const { action, add, remove } of tasks)
        addToCounts(counts, action, 1, { added: add.length, removed: remove.length });
      await queries.addTasks(db, previewId, { first, tasks: await previewedTasks(db, tasks), counts });
    }
    await queries.endPreview(db, previewId, 'completed', {
      undecided: countsOf(undecided.found()),
      missing: missingView(missing),
      notStarted: ahead.size,
    });
  } catch (error) {
    if (attempt.last) await queries.endPreview(db, previewId, 'failed');
    throw error;
  }
}
