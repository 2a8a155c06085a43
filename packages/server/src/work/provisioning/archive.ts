import type { ArchiveHook } from '#inventory/apps/admin.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { cancelLocked } from './cancel.ts';
import { accountsWithOpenTasks } from './queries/find.ts';
import { lockOpenTasks } from './queries/lock.ts';
import { endWaitingOf } from './queries/returned.ts';
import { reasonSentences } from './reason-sentences.ts';

/** Cancels the open tasks of an archived app: it no longer has a connector. */
export const endTasksOfApp: ArchiveHook = async (tx, app) => {
  const accountIds = await accountsWithOpenTasks(tx, app.id);
  await lockAccounts(tx, accountIds);
  const open = await lockOpenTasks(tx, accountIds);
  await endWaitingOf(tx, app.id);
  return cancelLocked(tx, open, tx.cause, reasonSentences.task_app_archived());
};
