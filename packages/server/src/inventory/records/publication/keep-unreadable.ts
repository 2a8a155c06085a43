import type { OrgTx } from '#kit/database.ts';
import type { Change } from '../history/change.ts';
import type { Pushed } from './memberships.ts';
import { keepSightings, selectKeptMemberships } from './queries/memberships.ts';
import { fillRelation } from './queries/relations.ts';
import * as queries from './queries/unreadable.ts';
import { keptMembership, type Scope, type StartedAt } from './relations.ts';
import type { Unreadable } from './unreadable.ts';

/**
 * Keeps when the accounts and memberships that a completion could not see were last seen. Returns the memberships of pushed accounts
 * that stay, or null if there are none.
 */
export async function keepUnreadable(
  tx: OrgTx,
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
