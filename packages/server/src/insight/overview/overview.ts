import { countPendingTickets } from '#decisions/requests/tickets.ts';
import { listOpenCycles } from '#decisions/reviews/campaigns/facts.ts';
import type { Database, OrgDb } from '#kit/database.ts';
import { failingWebhooks } from '#log/webhooks/webhooks.ts';
import { countFindings } from '../findings/facts.ts';
import * as queries from './queries/overview.ts';

/** Rows beyond this number are not counted, so that each figure costs the same in an organization of any size. */
const COUNTED = 1000;
const SHOWN = 10;

/** A count that stops at 1,000. */
const bounded = (n: number) => ({ count: Math.min(n, COUNTED), more: n > COUNTED });

/** Returns the figures that an administrator sees first. */
export async function getOverview(database: Pick<Database, 'prepared'>, db: OrgDb) {
  const limit = COUNTED + 1;
  const tasks = await queries.openTasks(db, limit);
  const found = await countFindings(db, ['orphaned_account', 'unowned_account', 'leaver_with_access'], limit);
  return {
    apps: {
      by_status: await queries.countApps(db),
      in_need: await queries.appsInNeed(db, SHOWN),
    },
    accounts: {
      by_status: await queries.countAccounts(db),
      orphans: bounded(found.orphaned_account),
      without_owner: bounded(found.unowned_account),
    },
    people: { leavers_with_access: bounded(found.leaver_with_access) },
    tasks: {
      pending: bounded(tasks.pending),
      scheduled: bounded(tasks.scheduled),
      oldest_pending_at: tasks.oldest,
      failed: await queries.failedTasks(db),
    },
    licenses: await queries.licenseUse(db, SHOWN),
    reviews: await listOpenCycles(db, SHOWN),
    webhooks: await failingOf(database, db),
    tickets: { waiting: bounded(await countPendingTickets(db, limit)) },
    next_steps: await queries.nextSteps(db),
  };
}

async function failingOf(database: Pick<Database, 'prepared'>, db: OrgDb) {
  const failing = await failingWebhooks(database, db, SHOWN);
  return {
    failing: failing.map(({ webhook: { id, name, first_failed_at, last_error, enabled }, waiting }) => ({
      id,
      name,
      first_failed_at,
      error: last_error,
      enabled,
      waiting,
    })),
  };
}
