import type { ArchiveHook } from '../apps/admin.ts';
import { sourceOf } from '../identity/cause.ts';
import { endOpen } from './create.ts';
import * as queries from './queries/write.ts';

/** An archived app has no connector any more: what was still to be done there ends. */
export const endTasksOfApp: ArchiveHook = async (tx, orgId, app, { principal, actor }) => {
  const accounts = await queries.accountsWithOpenTasks(tx, orgId, app.id);
  await queries.lockAccounts(tx, orgId, accounts);
  const open = await queries.lockOpenTasks(tx, orgId, accounts);
  return endOpen(tx, orgId, open, { actor, source: sourceOf(principal) }, 'The app was archived.');
};
