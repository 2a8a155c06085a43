import { type Db, transaction, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { finishSession } from '../publication/finish.ts';
import { storeSessionPlan } from '../publication/plan/plan.ts';
import { deleteOldPlans } from '../publication/plan/queries/stored.ts';
import { deleteOldResourceChanges } from '../publication/queries/resources.ts';
import { discardForgotten } from '../sessions/discard.ts';
import { unfinishedCompletions } from '../sessions/queries/sessions.ts';
import { FINISH_JOB, PLAN_JOB } from '../sessions/session.ts';

const CLEANUP_ATTEMPTS = 5;

export function defineSyncJobs(db: Db, jobs: Jobs) {
  jobs.define<{ orgId: string; sessionId: string }>({
    name: FINISH_JOB,
    attempts: CLEANUP_ATTEMPTS,
    work: ({ orgId, sessionId }, attempt) => finishSession(within(db, orgId), sessionId, attempt),
  });
  jobs.define<{ orgId: string; appId: string; sessionId: string }>({
    name: PLAN_JOB,
    attempts: 3,
    work: ({ orgId, appId, sessionId }) => storeSessionPlan(within(db, orgId), appId, sessionId),
  });
  jobs.define({
    name: 'sync.history',
    attempts: 1,
    cron: '23 3 * * *',
    work: () => deleteOldResourceChanges(db),
  });
  jobs.define({
    name: 'sync.housekeeping',
    attempts: 1,
    cron: '*/10 * * * *',
    work: async () => {
      await discardForgotten(db);
      await deleteOldPlans(db);
      await resumeCompletions(db, jobs);
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
