import { hookPoint, type OrgTx } from '#kit/database.ts';

/**
 * Called in the transaction that ends the wait for accounts without an external id: a sync has learned the id, or has
 * removed the account. Tasks may be waiting for this.
 */
export type AccountsHook = (tx: OrgTx, accountIds: string[]) => Promise<void>;

export const accountsHooks = hookPoint<AccountsHook>();

/** Calls the hooks for accounts that no longer wait for their external id. */
export async function noLongerAwaited(tx: OrgTx, accountIds: string[]): Promise<void> {
  if (accountIds.length > 0) for (const hook of accountsHooks.of(tx)) await hook(tx, accountIds);
}
