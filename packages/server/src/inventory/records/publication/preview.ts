import type { OrgTx } from '#kit/database.ts';
import { findEnded } from './ended.ts';
import { selectStaleAccounts } from './queries/accounts.ts';
import { findExpected, selectAdoptions, selectClaimed } from './queries/correlation.ts';
import { removedDifferences } from './queries/differences.ts';
import { selectStaleEntitlements } from './queries/entitlements.ts';
import { selectDroppedMemberships, selectPushedMemberships } from './queries/memberships.ts';
import * as queries from './queries/preview.ts';
import { analyzeRelations, createRelation, fillRelation, insertInto } from './queries/relations.ts';
import { countAccess } from './queries/removal.ts';
import {
  adoptedAccount,
  droppedMembership,
  lostMembership,
  plannedAccount,
  plannedDifference,
  plannedEntitlement,
  pushedAccount,
  pushedMembership,
  type Scope,
  type StartedAt,
  type stagedAccount,
  type stagedEntitlement,
  type stagedReference,
  staleAccount,
  type unchangedAccount,
} from './relations.ts';
import type { Unreadable } from './unreadable.ts';

interface Staged {
  isFirst: boolean;
  accounts: typeof stagedAccount;
  unchanged: typeof unchangedAccount;
  references: typeof stagedReference;
  entitlements: typeof stagedEntitlement;
  unreadable: Unreadable;
}

/** The loss that the removal guard decides on. */
export interface PlannedLosses {
  accounts: number;
  memberships: number;
}

/**
 * Fills a relation with everything that completing the session would create, change and remove, and returns it with the
 * access that would be lost. Writes nothing else and takes no locks. The caller's transaction reads one state of the
 * database.
 */
export async function previewPublication(
  tx: OrgTx,
  scope: Scope,
  staged: Staged,
  startedAt: StartedAt,
): Promise<{ differences: typeof plannedDifference; losses: PlannedLosses }> {
  await createRelation(tx, scope, adoptedAccount);
  if ((await findExpected(tx, scope)).awaited)
    await insertInto(scope, adoptedAccount, selectAdoptions(scope, staged.accounts)).execute(tx);
  await fillRelation(tx, scope, plannedAccount, queries.selectPlannedAccounts(scope, staged, adoptedAccount));
  await fillRelation(
    tx,
    scope,
    plannedEntitlement,
    queries.selectPlannedEntitlements(scope, staged.entitlements),
  );
  await analyzeRelations(tx, scope, plannedAccount, plannedEntitlement);
  const memberships = await findLosses(tx, scope, staged, startedAt);

  await createRelation(tx, scope, plannedDifference);
  const planned = { accounts: plannedAccount, entitlements: plannedEntitlement };
  for (const query of [
    queries.selectPushedDifferences(scope, plannedAccount, staged.accounts),
    queries.selectAddedDifferences(scope, planned, staged),
    queries.selectLostDifferences(scope, lostMembership, planned, staged.accounts),
    queries.selectEntitlementDifferences(scope, staged.entitlements),
    removedDifferences(scope, {
      accounts: queries.selectIdsOf(scope, staleAccount),
      entitlements: selectStaleEntitlements(
        scope,
        staged.entitlements,
        startedAt,
        staged.unreadable.entitlements,
      ),
    }),
  ]) {
    await insertInto(scope, plannedDifference, query).execute(tx);
  }
  const { accounts } = await countAccess(tx, scope, queries.selectIdsOf(scope, staleAccount));
  const ended = await findEnded(tx, scope, staged);
  return { differences: plannedDifference, losses: { accounts: accounts + ended.count, memberships } };
}

/**
 * Finds the accounts that were not pushed, and the memberships that they and the pushed ones would lose. Returns the
 * number of these memberships.
 */
async function findLosses(tx: OrgTx, scope: Scope, staged: Staged, startedAt: StartedAt): Promise<number> {
  await fillRelation(tx, scope, pushedAccount, queries.selectExisting(scope, plannedAccount));
  const memberships = selectPushedMemberships(scope, pushedAccount, staged.references);
  await fillRelation(tx, scope, pushedMembership, memberships);
  await analyzeRelations(tx, scope, pushedAccount, pushedMembership);
  const pushed = { accounts: pushedAccount, memberships: pushedMembership };
  await fillRelation(
    tx,
    scope,
    droppedMembership,
    selectDroppedMemberships(scope, pushed, startedAt, staged.unreadable.entitlements),
  );
  await fillRelation(
    tx,
    scope,
    staleAccount,
    selectStaleAccounts(scope, pushedAccount, {
      startedAt,
      unreadable: staged.unreadable.accountTypes,
      claimed: selectClaimed(scope, staged.accounts),
    }),
  );
  const lost = queries.selectLost(scope, droppedMembership, staleAccount);
  const count = await fillRelation(tx, scope, lostMembership, lost);
  await analyzeRelations(tx, scope, staleAccount, lostMembership);
  return count;
}
