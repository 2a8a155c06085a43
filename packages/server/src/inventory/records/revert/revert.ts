import type { OrgTx } from '#kit/database.ts';
import type { RequestCause } from '#kit/identity.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { recordEventsFrom } from '#log/events/record.ts';
import { accountEventsFrom, allEvents, groupEventsFrom } from '../accounts/queries/change-events.ts';
import { forgetDigestsOfApp } from '../accounts/queries/digests.ts';
import type { LinkMove } from '../accounts/queries/links.ts';
import { recordSyncLosses } from '../budget/queries/losses.ts';
import { analyzeRelations, createRelation, fillRelation, rowsOf } from '../publication/queries/relations.ts';
import type { Scope } from '../publication/relations.ts';
import { recordRefusals } from '../sentences.ts';
import type { RevertCounts } from '../sessions/session.ts';
import * as apply from './queries/apply.ts';
import { revertEntitlements, selectEntitlements } from './queries/entitlements.ts';
import * as find from './queries/find.ts';
import { withdrawSightings } from './queries/sightings.ts';
import {
  changedEntitlement,
  changedLink,
  changedMembership,
  changedState,
  returnedMembership,
  revertedAccount,
  withdrawnMembership,
} from './relations.ts';

/** The changes of a revert, and the records that have changed since the session and stay. */
export interface RevertPlan {
  changes: find.SessionChanges;
  counts: RevertCounts;
  conflicts: { count: number; results: find.Conflict[] };
  /** The accounts whose state will be brought back. */
  accounts: string[];
  /** The number of publications since the session that have not been reverted. */
  laterSyncs: number;
}

const CONFLICTS_SHOWN = 100;

/**
 * Finds what must change so that the inventory is as it was before a session. `findTouched` returns the accounts that
 * tasks have changed since a time. Runs in the caller's transaction, which must hold the app lock. Throws 409 if the
 * history does not have the states before the session.
 */
export async function planRevert(
  tx: OrgTx,
  scope: Scope,
  publishedAt: RawBuilder<unknown>,
  findTouched: (since: RawBuilder<unknown>) => Promise<string[]>,
): Promise<RevertPlan> {
  const ids = await find.changesOf(tx, scope);
  const [publication] = ids;
  if (publication === undefined) throw recordRefusals.session_before_history();
  const at = find.timeOf(scope.orgId, publication);
  if (!(await find.isKept(tx, at))) throw recordRefusals.session_older_than_history();
  const changes: find.SessionChanges = { ids, at, publishedAt };
  const touched = await findTouched(at);
  await fillRelation(tx, scope, changedState, find.selectStates(scope, changes, touched));
  await analyzeRelations(tx, scope, changedState);
  await fillRelation(tx, scope, changedLink, find.selectLinks(scope, changes, touched));
  await fillRelation(tx, scope, changedMembership, find.selectMemberships(scope, changes, touched));
  await analyzeRelations(tx, scope, changedLink, changedMembership);
  await fillRelation(tx, scope, changedEntitlement, selectEntitlements(scope, changes));
  await analyzeRelations(tx, scope, changedEntitlement);
  return {
    changes,
    counts: await find.countRevert(tx, scope),
    conflicts: await find.conflictsOf(tx, scope, CONFLICTS_SHOWN),
    accounts: await find.accountsToRevert(tx, scope),
    laterSyncs: await find.laterPublications(tx, scope, at),
  };
}

/**
 * Carries out a plan of the same transaction, and returns the links that changed. The records of the session count as recorded
 * by mistake from now on, so that reports as known before stay the same (D45). Access that it takes away counts against the
 * app's daily budget (D46).
 */
export async function applyRevert(
  tx: OrgTx,
  scope: Scope,
  { changes }: RevertPlan,
  cause: RequestCause,
): Promise<LinkMove[]> {
  const change = await apply.insertRevert(tx, scope, cause.actor);
  for (const table of [revertedAccount, returnedMembership, withdrawnMembership])
    await createRelation(tx, scope, table);
  await apply.revertStates(tx, scope, change, changes);
  const moved = await apply.revertLinks(tx, scope);
  await revertEntitlements(tx, scope, change, changes);
  await apply.revertMemberships(tx, scope, change, changes);
  await apply.revertGivers(tx, scope, change, changes);
  await apply.markChangesReverted(tx, change, changes);
  await withdrawSightings(tx, scope, change, changes);
  await forgetDigestsOfApp(tx, scope.appId);
  await recordSyncLosses(tx, { ...scope, sessionId: change.id }, await apply.countLosses(tx, scope), true);
  return moved;
}

/** Records one event for each account and group membership that changed. Call it last before commit. */
export async function recordRevert(tx: OrgTx, scope: Scope, revertedBy: RequestCause): Promise<void> {
  const by = { ...scope, revertedBy };
  const events = [
    accountEventsFrom(by, rowsOf(scope, revertedAccount)),
    groupEventsFrom(by, 'account.group.added', rowsOf(scope, returnedMembership)),
    groupEventsFrom(by, 'account.group.removed', rowsOf(scope, withdrawnMembership)),
  ];
  await recordEventsFrom(tx, allEvents(events));
}
