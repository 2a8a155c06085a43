import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { deleteInserted, insertResumed } from './queries/insert.ts';
import { spareRemovals, unmetPreconditions } from './queries/preconditions.ts';
import { endWaiting, tasksForReturned } from './queries/returned.ts';
import { queueResumed } from './queue.ts';

/**
 * Creates the removals again that were due while their account, group or status was away, because a sync did not show it. Runs
 * in the transaction of the publication that brings it back (D31). The preconditions are checked for what is created: the
 * task that waits may have removed other groups.
 */
export const resumeRemovals: PublishedHook = async (tx, appId) => {
  const away = await tasksForReturned(tx, appId);
  if (away.length === 0) return [];
  const inserted = await insertResumed(tx, away);
  const ids = inserted.map(({ id }) => id);
  await spareRemovals(tx, ids);
  const unmet = await unmetPreconditions(tx, ids);
  await deleteInserted(tx, [...unmet.keys()]);
  const back = inserted.filter(({ id }) => !unmet.has(id));
  if (back.length === 0) return [];
  await endWaiting(
    tx,
    back.map(({ retry_of }) => retry_of),
  );
  return queueResumed(tx, back, BY_THE_CLOCK);
};
