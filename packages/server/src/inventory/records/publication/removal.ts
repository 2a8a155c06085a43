import type { OrgTx } from '#kit/database.ts';
import type { Change } from '../history/change.ts';
import { keepSightings } from './queries/memberships.ts';
import { createRelation } from './queries/relations.ts';
import * as queries from './queries/removal.ts';
import { removedAccount, removedMembership, type Scope } from './relations.ts';

export interface Removed {
  /** Accounts, groups and licenses. */
  records: number;
  accounts: number;
  memberships: number;
  /** Accounts that stay and have lost their access by a pushed status. */
  ended: { suspended: number; inactive: number };
  /** All of these accounts. */
  accountRows: typeof removedAccount;
  membershipRows: typeof removedMembership;
  /** Ids of the removed accounts that never had an external id. */
  neverKnown: string[];
}

/** Removes the planned records, except those that a task has touched since the session started (D16). */
export async function removeStale(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  plan: queries.RemovalPlan,
): Promise<Removed> {
  await createRelation(tx, scope, removedAccount);
  await createRelation(tx, scope, removedMembership);
  const accounts = await queries.deactivateAccounts(tx, scope, change, plan, removedAccount);
  const entitlements = await queries.deactivateEntitlements(tx, scope, change, plan);
  const memberships = await queries.deleteStaleMemberships(tx, scope, change, plan, {
    accounts: removedAccount,
    removed: removedMembership,
  });
  const ended = await queries.endAccess(tx, scope, change, plan, removedAccount);
  await keepSightings(tx, scope, change, queries.selectKeptAccounts(scope, plan));
  return {
    records: accounts.count + entitlements,
    accounts: accounts.count,
    memberships,
    ended,
    accountRows: removedAccount,
    membershipRows: removedMembership,
    neverKnown: accounts.neverKnown,
  };
}
