import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { finishSession } from './finish.ts';
import { unfinishedCompletions } from './queries.ts';
import { discardForgotten, FINISH_JOB } from './session.ts';

const CLEANUP_ATTEMPTS = 5;

export function defineSyncJobs(db: Db, jobs: Jobs) {
  jobs.define<{ orgId: string; sessionId: string }>({
    name: FINISH_JOB,
    attempts: CLEANUP_ATTEMPTS,
    work: ({ orgId, sessionId }, attempt) => finishSession(db, orgId, sessionId, attempt),
  });
  jobs.define({
    name: 'sync.housekeeping',
    attempts: 1,
    cron: '*/10 * * * *',
    work: async () => {
      await discardForgotten(db);
      await resumeCompletions(db, jobs);
    },
  });
}

/**
 * Sends the jobs of all completing sessions again. Called at start-up: a job that died with its process would
 * otherwise wait for its heartbeat to be missed. A session that another node is at work on is waited for, and
 * found finished.
 */
export async function resumeCompletions(db: Db, jobs: Jobs): Promise<void> {
  for (const { org_id: orgId, id: sessionId } of await unfinishedCompletions(db)) {
    await transaction(db, (tx) => jobs.send(tx, FINISH_JOB, { orgId, sessionId }, { key: sessionId }));
  }
}
