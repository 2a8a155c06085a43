import type { Logger } from 'pino';
import { type Db, transaction, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { CLOSE_JOB, closeCycle } from './deciding/close.ts';
import { continueOpening, OPEN_JOB, openDueCycle } from './opening/open.ts';
import { unfinishedCycles } from './opening/queries/open.ts';
import { escalateItems } from './reviewers/escalate.ts';
import { reassignMissedItems } from './reviewers/reassign.ts';

const ATTEMPTS = 5;
const BEGIN_JOB = 'reviews.begin';

interface CycleJob {
  orgId: string;
  cycleId: string;
}

export function defineReviewJobs(db: Db, jobs: Jobs, logger: Logger) {
  jobs.define<CycleJob & { campaignId: string }>({
    name: BEGIN_JOB,
    attempts: ATTEMPTS,
    work: ({ orgId, campaignId, cycleId }) =>
      openDueCycle({ db, jobs }, within(db, orgId), campaignId, cycleId),
  });
  jobs.define<CycleJob>({
    name: OPEN_JOB,
    attempts: ATTEMPTS,
    work: ({ orgId, cycleId }) => continueOpening(within(db, orgId), cycleId),
  });
  jobs.define<CycleJob>({
    name: CLOSE_JOB,
    attempts: ATTEMPTS,
    work: ({ orgId, cycleId }) => closeCycle(within(db, orgId), cycleId),
  });
  jobs.define({
    name: 'reviews.clock',
    attempts: 1,
    cron: '* * * * *',
    work: () => sendUnfinishedCycles(db, jobs),
  });
  jobs.define({
    name: 'reviews.pass-on',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => reassignMissedItems(db),
  });
  jobs.define({
    name: 'reviews.escalate',
    attempts: 1,
    cron: '*/5 * * * *',
    work: () => escalateItems(db, logger),
  });
}

/**
 * Sends a job for each cycle that is due to open or close, and for each opening that a dead process left unfinished. A
 * job for a cycle that another node is working on waits for that node and then finds nothing to do.
 */
export async function sendUnfinishedCycles(db: Db, jobs: Jobs): Promise<void> {
  const names = { begin: BEGIN_JOB, open: OPEN_JOB, close: CLOSE_JOB };
  for (const { org_id: orgId, id: cycleId, campaign_id: campaignId, step } of await unfinishedCycles(db)) {
    await transaction(db, (tx) =>
      jobs.send(tx, names[step], { orgId, campaignId, cycleId }, { key: cycleId }),
    );
  }
}
