import type { ArchiveHook } from '#inventory/apps/admin.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import type { AccountsHook } from '#inventory/records/accounts/awaited.ts';
import type { PublishedHook } from '#inventory/records/sessions/session.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { cancelLocked } from './cancel.ts';
import { accountsWithOpenTasks } from './queries/find.ts';
import { deleteInserted, insertResumed } from './queries/insert.ts';
import { lockOpenTasks } from './queries/lock.ts';
import { spareRemovals, unmetPreconditions } from './queries/preconditions.ts';
import { endWaiting, endWaitingOf, tasksForReturned } from './queries/returned.ts';
import { releaseWaiting } from './queries/update.ts';
import { queueResumed } from './queue.ts';
import { reasonSentences } from './reason-sentences.ts';

/** Cancels the open tasks of an archived app: it no longer has a connector. */
export const endTasksOfApp: ArchiveHook = async (tx, app) => {
  const accountIds = await accountsWithOpenTasks(tx, app.id);
  await lockAccounts(tx, accountIds);
  const open = await lockOpenTasks(tx, accountIds);
  await endWaitingOf(tx, app.id);
  return cancelLocked(tx, open, tx.cause, reasonSentences.task_app_archived());
};

/**
 * Releases tasks that wait for an external id: because the id is now known, or because the account was removed without
 * one. A sync calls it (AccountsHook, set in hooks.ts) with the accounts that it changed.
 */
export const wakeTasks: AccountsHook = async (tx, accountIds) => {
  if (accountIds.length > 0) await releaseWaiting(tx, accountIds);
};

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
