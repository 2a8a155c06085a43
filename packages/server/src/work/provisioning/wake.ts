import type { AccountsHook } from '#inventory/records/accounts/awaited.ts';
import { releaseWaiting } from './queries/update.ts';

/**
 * Releases tasks that wait for an external id: because the id is now known, or because the account was removed without
 * one. A sync calls it (AccountsHook, set in hooks.ts) with the accounts that it changed.
 */
export const wakeTasks: AccountsHook = async (tx, accountIds) => {
  if (accountIds.length > 0) await releaseWaiting(tx, accountIds);
};
