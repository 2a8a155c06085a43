import type { OrgTx } from '#kit/database.ts';
import { linkAccounts } from '../accounts/links.ts';
import type { LinkMove } from '../accounts/queries/links.ts';
import type { SyncLosses } from '../budget/losses.ts';
import type { Change } from '../history/change.ts';
import type { StatusCounts } from '../sessions/session.ts';
import { updateAccounts } from './queries/accounts.ts';
import * as queries from './queries/ended.ts';
import { createEmptyRelation, fillRelation, rowsOf } from './queries/relations.ts';
import { type changedAccount, endedAccess, type Scope, type stagedAccount } from './relations.ts';
import type { Staged } from './stage.ts';

/** The accounts whose pushed status ends their access, and how many get which status. */
export interface Ended extends Pick<StatusCounts, 'suspended' | 'inactive'> {
  rows: typeof endedAccess;
  count: number;
}

/** Finds the staged accounts whose status ends their access. publishAccounts leaves them to publishEnded. */
export async function findEnded(
  tx: OrgTx,
  scope: Scope,
  { accounts, isFirst }: Pick<Staged, 'accounts' | 'isFirst'>,
): Promise<Ended> {
  const count = isFirst
    ? await createEmptyRelation(tx, scope, endedAccess)
    : await fillRelation(tx, scope, endedAccess, queries.selectEnded(scope, accounts));
  const suspended = count === 0 ? 0 : await queries.countSuspended(tx, scope, endedAccess);
  return { rows: endedAccess, count, suspended, inactive: count - suspended };
}

/**
 * Publishes the accounts that publishAccounts left out, after the removal guard has decided. With `withheld`, they keep their status:
 * everything else that was pushed is published. Adds those that were changed to `changed`. Returns how many they are, and the links that
 * changed.
 */
export async function publishEnded(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  { ended, staged, changed }: { ended: Ended; staged: typeof stagedAccount; changed: typeof changedAccount },
  withheld: boolean,
): Promise<{ updated: number; moved: LinkMove[] }> {
  if (ended.count === 0) return { updated: 0, moved: [] };
  if (withheld) await queries.keepStatuses(tx, scope, staged, ended.rows);
  const updated = await updateAccounts(
    tx,
    scope,
    change,
    { staged, changed },
    queries.isEnded(scope, ended.rows),
  );
  return { updated, moved: updated > 0 ? await linkAccounts(tx, change, rowsOf(scope, changed)) : [] };
}

/** The losses that statuses have caused. */
export const lossesByStatus = (counts: StatusCounts | null): Pick<SyncLosses, 'accounts' | 'suspended'> => {
  const { suspended, inactive } = counts ?? { suspended: 0, inactive: 0 };
  return { accounts: suspended + inactive, suspended };
};

export const withMore = (
  counts: StatusCounts | null,
  more: Pick<Ended, 'suspended' | 'inactive'>,
): StatusCounts => ({
  suspended: (counts?.suspended ?? 0) + more.suspended,
  inactive: (counts?.inactive ?? 0) + more.inactive,
  withheld: counts?.withheld ?? 0,
});
