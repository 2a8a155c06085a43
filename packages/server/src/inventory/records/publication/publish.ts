import type { App } from '#inventory/apps/app.ts';
import type { Held } from '#inventory/apps/held.ts';
import type { OrgTx } from '#kit/database.ts';
import { checkForeignKeys } from '#kit/sql.ts';
import { recordEvents } from '#log/events/record.ts';
import { noLongerAwaited } from '../accounts/awaited.ts';
import { afterLinks } from '../accounts/links.ts';
import { recordSyncLosses } from '../budget/queries/losses.ts';
import { beginPublication, type Change } from '../history/change.ts';
import { discardPages, progressOf } from '../sessions/queries/pages.ts';
import { setPublished } from '../sessions/queries/transitions.ts';
import { lastReport } from '../sessions/queries/unseen.ts';
import {
  afterPublication,
  bySync,
  type MembershipCounts,
  type RecordCounts,
  type Session,
  type StatusCounts,
} from '../sessions/session.ts';
import { publishAccounts } from './accounts.ts';
import { takeoverEvents } from './candidates.ts';
import { publishDetails } from './details.ts';
import { type Ended, findEnded, publishEnded } from './ended.ts';
import { recordChanges, recordsChanges } from './events.ts';
import { keepUnreadable } from './keep-unreadable.ts';
import {
  addMemberships,
  findDroppedMemberships,
  keepSparedMemberships,
  removeDroppedMemberships,
  resolveReferences,
} from './memberships.ts';
import { keepDigests } from './queries/digests.ts';
import { planEnded } from './queries/ended.ts';
import {
  findOwners,
  insertEntitlements,
  markUnseenEntitlements,
  updateEntitlements,
} from './queries/entitlements.ts';
import { startedAt } from './queries/plan.ts';
import { selectEntitlementDifferences } from './queries/preview.ts';
import { withRelations } from './queries/relations.ts';
import { countActiveAccounts } from './queries/removal.ts';
import { recordResourceChanges } from './queries/resources.ts';
import { appendTexts } from './queries/statistics.ts';
import { recordHidden } from './queries/unreadable.ts';
import type { Scope, stagedEntitlement } from './relations.ts';
import { stagePages } from './stage.ts';
import {
  endingsOf,
  membershipsBefore,
  planDroppedMemberships,
  planRemoval,
  removeFromOtherPlans,
} from './stale.ts';

/**
 * The flow of a publication. Each row is a step: the relations (inventory/records/publication/relations.ts) and tables that it
 * reads, its function, and the relations and tables that it writes.
 *
 *   sync_page, account_digest               ─ stagePages ─────────────> unchangedAccount, changedRecord,
 *                                                                       stagedAccount, stagedReference,
 *                                                                       stagedEntitlement,
 *                                                                       unreadableEntitlement
 *   stagedEntitlement                       ─ recordResourceChanges ──> sync_resource_change
 *   stagedEntitlement                       ─ publishEntitlements ────> entitlement
 *   stagedAccount                           ─ findEnded ──────────────> endedAccess
 *   stagedAccount, endedAccess              ─ publishAccounts ────────> account, changedAccount
 *   stagedAccount, unchangedAccount,        ─ resolveReferences ──────> pushedAccount, pushedMembership
 *   stagedReference
 *   pushedAccount, sync_page                ─ publishDetails ─────────> account_detail, account_owner, changedOwner
 *   pushedMembership                        ─ addMemberships ─────────> membership, addedMembership
 *   pushedAccount, pushedMembership,        ─ removeFromOtherPlans ───> sync_removal of other sessions
 *   stagedEntitlement
 *   pushedAccount, pushedMembership         ─ findDroppedMemberships ─> droppedMembership
 *   stagedEntitlement                       ─ markUnseenEntitlements ─> entitlement
 *   pushedAccount                           ─ keepSparedMemberships ──> membership
 *   pushedAccount, pushedMembership,        ─ keepUnreadable ─────────> account, membership, keptMembership
 *   unreadableEntitlement
 *   pushedAccount, stagedEntitlement        ─ planRemoval ────────────> sync_removal
 *
 * Then, depending on whether the removal guard allows the removal or holds it:
 *
 *   droppedMembership (allowed)             ─ removeDroppedMemberships > membership
 *   droppedMembership (held)                ─ planDroppedMemberships ─> sync_removal
 *   endedAccess (held)                      ─ planEnded ──────────────> sync_removal
 *   stagedAccount, endedAccess              ─ publishEnded ───────────> account, changedAccount
 *   changedRecord, pushedAccount,           ─ keepDigests ────────────> account_digest
 *   droppedMembership and endedAccess (not applied), keptMembership
 *   sync_session                            ─ recordHidden ───────────> entitlement
 *   changedAccount, changedOwner,           ─ recordChanges ──────────> events
 *   addedMembership,
 *   droppedMembership (allowed)
 *
 * While the app has no accounts, nothing can be unchanged, ended, dropped or stale: these relations stay empty, and nothing is updated.
 *
 * An abandoned session skips markUnseenEntitlements, keepSparedMemberships, keepUnreadable and planRemoval, and removes no dropped membership
 * (D17). Its guard decides about endedAccess alone: what exceeds it is withheld. After a completion, a second transaction carries out the plan:
 *
 *   sync_removal                            ─ carryOutPlan ───────────> account, entitlement, membership,
 *                                                                       removedAccount, removedMembership
 *   removedAccount, removedMembership       ─ recordRemovals ─────────> events
 */

export type Ending = 'complete' | 'abandon';

export interface Published {
  counts: RecordCounts;
  memberships: MembershipCounts;
  statuses: StatusCounts;
  held: Held | null;
}

/**
 * Publishes a session's staged records. Runs in the caller's transaction, which must hold the app lock: readers see all of
 * the changes or none (D15). A completion also plans the removal of stale records. If the plan takes away more than the
 * app's removal guard allows, nothing is removed yet (D24a).
 */
export const publish = (
  tx: OrgTx,
  app: App,
  session: Pick<Session, 'id' | 'progress'>,
  ending: Ending,
): Promise<Published> =>
  withRelations(tx, { orgId: tx.orgId, appId: app.id, sessionId: session.id }, (scope) =>
    publishPages(tx, scope, app, session, ending),
  );

async function publishPages(
  tx: OrgTx,
  scope: Scope,
  app: App,
  session: Pick<Session, 'id' | 'progress'>,
  ending: Ending,
): Promise<Published> {
  const { sessionId } = scope;
  const kind = ending === 'complete' ? 'sync' : 'abandoned_sync';
  const change = await beginPublication(tx, { ...scope, startedAt: startedAt(scope) }, kind);
  const progress = session.progress ?? (await progressOf(tx, sessionId));
  const activeAccounts = await countActiveAccounts(tx, scope);
  const staged = await stagePages(tx, scope, progress);
  const isRecorded = recordsChanges(app);
  await appendTexts(tx, { sorted: ending === 'complete' });

  await recordResourceChanges(tx, scope, selectEntitlementDifferences(scope, staged.entitlements));
  const entitlements = await publishEntitlements(tx, scope, change, staged.entitlements);
  const ended = await findEnded(tx, scope, staged);
  const accounts = await publishAccounts(tx, scope, change, staged, { ended, isRecorded });
  const pushed = await resolveReferences(tx, scope, staged);
  const owners = await publishDetails(tx, scope, pushed.accounts, staged.details);
  const added = await addMemberships(tx, scope, change, pushed, { ...staged, isRecorded });
  await removeFromOtherPlans(tx, scope, staged, pushed);
  const dropped = await findDroppedMemberships(tx, scope, pushed, staged, startedAt(scope));
  if (ending === 'complete') {
    await markUnseenEntitlements(tx, scope, change, staged, startedAt(scope));
    await keepSparedMemberships(tx, scope, change, pushed, startedAt(scope));
  }
  const { unreadable } = staged;
  const kept =
    ending === 'abandon'
      ? null
      : await keepUnreadable(tx, scope, change, { pushed, unreadable }, startedAt(scope));
  const before = { activeAccounts, memberships: () => membershipsBefore(tx, scope, added.count) };
  const { losses, held } =
    ending === 'abandon'
      ? await endingsOf(tx, scope, app, ended, before)
      : await planRemoval(tx, scope, app, { staged, pushed, dropped, ended }, before);
  const isRemoved = ending === 'complete' && held === null;
  if (isRemoved) await removeDroppedMemberships(tx, scope, change, dropped);
  // Before the removal, so that no task uses this part of the budget in the meantime.
  if (held === null) await recordSyncLosses(tx, scope, losses, ending === 'abandon');
  else if (ending === 'complete') {
    await planDroppedMemberships(tx, scope, dropped);
    await planEnded(tx, scope, ended.rows);
  }
  const endings = { ended, staged: staged.accounts, changed: accounts.changed };
  const later = await publishEnded(tx, scope, change, endings, held !== null);
  const unlike = [
    ...(isRemoved ? [] : [dropped.rows]),
    ...(held === null ? [] : [ended.rows]),
    ...(kept === null ? [] : [kept]),
  ];
  const { changed: records, isFirst } = staged;
  await keepDigests(tx, scope, { records, pushed: pushed.accounts, unlike, isFirst });

  const created = entitlements.created + accounts.created;
  const updated = entitlements.updated + accounts.updated + later.updated;
  const isChanged = created + updated + accounts.adopted.length + added.count + dropped.count > 0;
  const published: Published = {
    counts: { created, updated, unchanged: staged.count - created - updated, removed: 0 },
    memberships: { added: added.count, removed: isRemoved ? dropped.count : 0 },
    statuses: statusCounts(ended, ending, held),
    held: ending === 'complete' ? held : null,
  };
  await setPublished(tx, sessionId, { progress, ...published });
  if (ending === 'complete') await recordHidden(tx, scope, lastReport(tx, scope.appId));
  await discardPages(tx, sessionId);
  await noLongerAwaited(tx, accounts.adopted);
  const moved = [...accounts.moved, ...later.moved];
  const relinked = moved.map(({ id }) => id);
  await recordEvents(tx, [
    ...(await takeoverEvents(tx, scope, app, { adopted: accounts.adopted, moved })),
    ...(await afterPublication(tx, app.id, bySync(sessionId), isChanged ? sessionId : null)),
    ...(await afterLinks(tx, relinked, bySync(sessionId))),
  ]);
  await recordChanges(tx, scope, app, {
    accounts: accounts.changed,
    added: added.rows,
    removed: isRemoved ? dropped.rows : null,
    owners,
  });
  // The people of the accounts.
  await checkForeignKeys(tx, accounts.created + accounts.updated);
  return published;
}

const statusCounts = (
  { suspended, inactive, count }: Ended,
  ending: Ending,
  held: Held | null,
): StatusCounts =>
  held === null
    ? { suspended, inactive, withheld: 0 }
    : { suspended: 0, inactive: 0, withheld: ending === 'abandon' ? count : 0 };

/** Writes staged groups and licenses to the inventory. Identical ones are not written again (D23). */
async function publishEntitlements(
  tx: OrgTx,
  scope: Scope,
  change: Change,
  staged: typeof stagedEntitlement,
): Promise<{ created: number; updated: number }> {
  const updated = await updateEntitlements(tx, scope, change, staged);
  const created = await insertEntitlements(tx, scope, change, staged);
  await findOwners(tx, scope);
  return { created, updated };
}
