import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import type { ReadRemovals } from './accounts/leavers.ts';
import { linkForgotten } from './accounts/links.ts';
import { foldAccountCounts } from './accounts/queries/account-counts.ts';
import { foldMemberCounts } from './accounts/queries/member-counts.ts';
import type { ReadGrants } from './accounts/reasons.ts';
import { recordRoutes } from './accounts/routes/index.ts';
import type { ReadSuspensions } from './accounts/suspensions.ts';
import { defineHistoryJobs, prepareHistory } from './history/retention.ts';
import type { CountConfirmed, CountExpecting } from './publication/plan/plan.ts';
import type { RevertHook } from './revert/revert-session.ts';
import { revertRoute } from './revert/routes/revert.ts';
import { defineSyncJobs, resumeCompletions } from './sync/jobs.ts';
import type { SyncQuotas } from './sync/quota.ts';
import { bridgeSyncRoutes } from './sync/routes/bridge.ts';
import { pushPageRoute } from './sync/routes/push-page.ts';
import { syncRoutes } from './sync/routes/syncs.ts';

interface RecordOptions {
  /** Undefined: none (D71). */
  syncQuotas: SyncQuotas | undefined;
  revertHook: RevertHook;
  readRemovals: ReadRemovals;
  countExpecting: CountExpecting;
  countConfirmed: CountConfirmed;
  readSuspensions: ReadSuspensions;
  readGrants: ReadGrants;
}

/** Accounts, entitlements and memberships, and the syncs that publish them. */
export const records = (
  tools: Tools,
  { syncQuotas, revertHook, readRemovals, readGrants, readSuspensions, ...counts }: RecordOptions,
): Feature => ({
  prepare: () => prepareHistory(tools.db),
  routes: (http) => {
    const { jobs } = tools;
    pushPageRoute(http, { ...tools, syncQuotas });
    addRoutes(http, tools, [
      ...bridgeSyncRoutes(jobs),
      ...syncRoutes({ jobs, ...counts }),
      revertRoute(revertHook),
      ...recordRoutes(readRemovals, { readGrants, readSuspensions }),
    ]);
  },
  resume: () => resumeCompletions(tools.db, tools.jobs),
  jobs: () => {
    const { db, jobs } = tools;
    defineSyncJobs(db, jobs);
    defineHistoryJobs(db, jobs);
    jobs.define({
      name: 'inventory.fold-counts',
      attempts: 1,
      cron: '* * * * *',
      work: async () => {
        await foldAccountCounts(db);
        await foldMemberCounts(db);
      },
    });
    jobs.define({
      name: 'inventory.link-accounts',
      attempts: 1,
      cron: '*/10 * * * *',
      work: () => linkForgotten(db),
    });
  },
});
