import type { Tx } from '../../../kit/database/open.ts';
import type { Change } from '../history/change.ts';
import type { Pushed } from './memberships.ts';
import { keepSightings, selectKeptMemberships } from './queries/memberships.ts';
import { fillRelation } from './queries/relations.ts';
import * as queries from './queries/unreadable.ts';
import {
  keptMembership,
  type Scope,
  type StartedAt,
  stagedEntitlement,
  unreadableEntitlement,
} from './relations.ts';

/**
 * What the session's connector may not read (D81). Records and memberships that it could not have pushed are not stale: they stay until
 * a session that can see them decides.
 */
export interface Unreadable {
  /** Groups and licenses whose members stay. Null: none. */
  entitlements: typeof unreadableEntitlement | null;
  /** Ids of the account types whose accounts stay. */
  accountTypes: readonly string[];
}

/** Finds what the session reported as unreadable. Its entitlements must have been staged. */
export async function findUnreadable(tx: Tx, scope: Scope): Promise<Unreadable> {
  const { any, accounts } = await queries.unreadableTypes(tx, scope);
  if (!any) return { entitlements: null, accountTypes: [] };
  await fillRelation(tx, scope, unreadableEntitlement, queries.selectUnreadable(scope, stagedEntitlement));
  return { entitlements: unreadableEntitlement, accountTypes: accounts };
}

/**
 * Keeps when the accounts and memberships that a completion could not see were last seen. Returns the memberships of pushed accounts
 * that stay, or null if there are none.
 */
export async function keepUnreadable(
  tx: Tx,
  scope: Scope,
  change: Change,
  { pushed, unreadable }: { pushed: Pushed; unreadable: Unreadable },
  startedAt: StartedAt,
): Promise<typeof keptMembership | null> {
  const { entitlements, accountTypes } = unreadable;
  if (accountTypes.length > 0) {
    const unread = queries.selectUnreadAccounts(scope, pushed.accounts, accountTypes);
    await keepSightings(tx, scope, change, unread);
    await queries.keepAccountSightings(tx, scope, change, unread);
  }
  if (entitlements === null) return null;
  await fillRelation(
    tx,
    scope,
    keptMembership,
    selectKeptMemberships(scope, pushed, startedAt, entitlements),
  );
  await queries.keepMemberSightings(tx, scope, change, keptMembership);
  return keptMembership;
}
