import { countLeavers, countWithoutOwner } from '../inventory/leavers.ts';
import type { Db } from '../platform/database/open.ts';
import { countPendingTickets } from '../requests/tickets.ts';
import { listOpenCycles } from '../reviews/cycles.ts';
import * as queries from './queries.ts';

/** Rows beyond this number are not counted, so that each figure costs the same in an organization of any size. */
const COUNTED = 1000;
const SHOWN = 10;

/** A count that stops at 1,000. */
export interface Bounded {
  count: number;
  /** Whether more exist than were counted. */
  more: boolean;
}

const bounded = (n: number): Bounded => ({ count: Math.min(n, COUNTED), more: n > COUNTED });

/** Returns the figures that an administrator sees first. */
export async function getOverview(db: Db, orgId: string) {
  const limit = COUNTED + 1;
  const tasks = await queries.openTasks(db, orgId, limit);
  return {
    apps: {
      by_status: await queries.countApps(db, orgId),
      in_need: await queries.appsInNeed(db, orgId, SHOWN),
    },
    accounts: {
      by_status: await queries.countAccounts(db, orgId),
      orphans: { count: await queries.countOrphans(db, orgId), more: false },
      without_owner: bounded(await countWithoutOwner(db, orgId, limit)),
    },
    people: { leavers_with_access: bounded(await countLeavers(db, orgId, limit)) },
    tasks: {
      pending: bounded(tasks.pending),
      scheduled: bounded(tasks.scheduled),
      oldest_pending_at: tasks.oldest,
      failed: await queries.failedTasks(db, orgId),
    },
    licenses: await queries.licenseUse(db, orgId, SHOWN),
    reviews: await listOpenCycles(db, orgId, SHOWN),
    tickets: { waiting: bounded(await countPendingTickets(db, orgId, limit)) },
  };
}
