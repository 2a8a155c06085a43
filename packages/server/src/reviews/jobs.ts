import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { CLOSE_JOB, closeCycle } from './decide.ts';
import { continueOpening, OPEN_JOB, openDue, passOnForgotten } from './open.ts';
import { unfinishedCycles } from './queries/open.ts';

const ATTEMPTS = 5;
const BEGIN_JOB = 'reviews.begin';

interface CycleJob {
  orgId: string;
  cycleId: string;
}

export function defineReviewJobs(db: Db, jobs: Jobs) {
  jobs.define<CycleJob & { campaignId: string }>({
    name: BEGIN_JOB,
    attempts: ATTEMPTS,
    work: ({ orgId, campaignId, cycleId }) => openDue({ db, jobs }, orgId, campaignId, cycleId),
  });
  jobs.define<CycleJob>({
    name: OPEN_JOB,
    attempts: ATTEMPTS,
    work: ({ orgId, cycleId }) => continueOpening(db, orgId, cycleId),
  });
  jobs.define<CycleJob>({
    name: CLOSE_JOB,
    attempts: ATTEMPTS,
    work: ({ orgId, cycleId }) => closeCycle(db, orgId, cycleId),
  });
  jobs.define({
    name: 'reviews.clock',
    attempts: 1,
    cron: '* * * * *',
    work: () => sendUnfinished(db, jobs),
  });
  jobs.define({
    name: 'reviews.pass-on',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => passOnForgotten(db),
  });
}

/**
 * Sends a job for every cycle that has fallen due, and for every opening that a dead process has left behind. Work that
 * another node is at is waited for, and found done.
 */
export async function sendUnfinished(db: Db, jobs: Jobs): Promise<void> {
  const names = { begin: BEGIN_JOB, open: OPEN_JOB, close: CLOSE_JOB };
  for (const { org_id: orgId, id: cycleId, campaign_id: campaignId, step } of await unfinishedCycles(db)) {
    await transaction(db, (tx) =>
      jobs.send(tx, names[step], { orgId, campaignId, cycleId }, { key: cycleId }),
    );
  }
}
