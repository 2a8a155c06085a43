import type { ArchiveHook } from '../apps/admin.ts';
import { sourceOf } from '../identity/cause.ts';
import { lockAccounts } from '../inventory/task-operations.ts';
import { cancelLocked } from './cancel.ts';
import { accountsWithOpenTasks } from './queries/find.ts';
import { lockOpenTasks } from './queries/lock.ts';

/** Cancels the open tasks of an archived app: it no longer has a connector. */
export const endTasksOfApp: ArchiveHook = async (tx, orgId, app, { principal, actor }) => {
  const accountIds = await accountsWithOpenTasks(tx, orgId, app.id);
  await lockAccounts(tx, orgId, accountIds);
  const open = await lockOpenTasks(tx, orgId, accountIds);
  return cancelLocked(tx, orgId, open, { actor, source: sourceOf(principal) }, 'The app was archived.');
};
