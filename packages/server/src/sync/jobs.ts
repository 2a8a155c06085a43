import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { discardForgotten } from './discard.ts';
import { finishSession } from './finish.ts';
import { deleteOldPlans, storeSessionPlan } from './plan/plan.ts';
import { deleteOldResourceChanges } from './publish/queries/resources.ts';
import { unfinishedCompletions } from './queries/sessions.ts';
import { FINISH_JOB, PLAN_JOB, type SessionTools } from './session.ts';

const CLEANUP_ATTEMPTS = 5;

export function defineSyncJobs(tools: SessionTools, jobs: Jobs) {
  jobs.define<{ orgId: string; sessionId: string }>({
    name: FINISH_JOB,
    attempts: CLEANUP_ATTEMPTS,
    work: ({ orgId, sessionId }, attempt) => finishSession(tools, orgId, sessionId, attempt),
  });
  jobs.define<{ orgId: string; appId: string; sessionId: string }>({
    name: PLAN_JOB,
    attempts: 3,
    work: ({ orgId, appId, sessionId }) => storeSessionPlan(tools.db, orgId, appId, sessionId),
  });
  jobs.define({
    name: 'sync.history',
    attempts: 1,
    cron: '23 3 * * *',
    work: () => deleteOldResourceChanges(tools.db),
  });
  jobs.define({
    name: 'sync.housekeeping',
    attempts: 1,
    cron: '*/10 * * * *',
    work: async () => {
      await discardForgotten(tools.db);
      await deleteOldPlans(tools.db);
      await resumeCompletions(tools.db, jobs);
    },
  });
}

/**
 * Sends the jobs of all completing sessions again. The process calls it at startup, because a job that died with its
 * process would otherwise wait until it misses a heartbeat. If another node is working on a session, the job waits for
 * it and then has nothing to do.
 */
export async function resumeCompletions(db: Db, jobs: Jobs): Promise<void> {
  for (const { org_id: orgId, id: sessionId } of await unfinishedCompletions(db)) {
    await transaction(db, (tx) => jobs.send(tx, FINISH_JOB, { orgId, sessionId }, { key: sessionId }));
  }
}
