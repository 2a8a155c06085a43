import type { PublishedHook } from '../../inventory/records/sync/session.ts';
import { BY_THE_CLOCK } from '../../kit/identity/cause.ts';
import { createdEvent } from './events.ts';
import { insertResumed } from './queries/insert.ts';
import { putBackRemovals } from './queries/left-out.ts';
import { spareRemovals, unmetPreconditions } from './queries/preconditions.ts';
import { endWaiting, tasksForReturned } from './queries/returned.ts';
import { advanceQueue } from './queue.ts';

/**
 * Creates the removals again that were due while their account, group or status was away, because a sync did not show it. Runs
 * in the transaction of the publication that brings it back (D31).
 */
export const resumeRemovals: PublishedHook = async (tx, appId) => {
  const away = await tasksForReturned(tx, appId);
  if (away.length === 0) return [];
  const waiting = away.map(({ id }) => id);
  // A group that was gone was left out. Without any removal, the task would not be needed.
  await putBackRemovals(tx, waiting);
  await spareRemovals(tx, waiting);
  const unmet = await unmetPreconditions(tx, waiting);
  const back = away.filter(({ id }) => !unmet.has(id));
  if (back.length === 0) return [];
  const ids = back.map(({ id }) => id);
  await endWaiting(tx, ids);
  const created = await insertResumed(tx, ids);
  const accountIds = back.map(({ account_id }) => account_id);
  const { tasks, events } = await advanceQueue(tx, accountIds, BY_THE_CLOCK, created);
  return [...tasks.map((task) => createdEvent(task, BY_THE_CLOCK)), ...events];
};
