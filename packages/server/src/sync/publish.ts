import { sql } from 'kysely';
import type { App } from '../apps/apps.ts';
import { recordEventsFrom } from '../events/record.ts';
import { accountEventsFrom, groupEventsFrom } from '../inventory/change-events.ts';
import { linkAccounts } from '../inventory/links.ts';
import type { Tx } from '../platform/database/open.ts';
import * as statements from './publish-queries.ts';
import type { Held, MembershipCounts, RecordCounts } from './queries.ts';
import * as queries from './queries.ts';

export type Ending = 'complete' | 'abandon';

export interface Published {
  counts: RecordCounts;
  memberships: MembershipCounts;
  held: Held | null;
}

/**
 * Turns what a session staged into inventory, in the caller's transaction, which holds the app's lock: readers see
 * all of it at once or nothing (D15), and identical records are not written again (D23). A completion also freezes
 * what is to be removed; if that is more than the app's guard allows, nothing is removed yet (D24a).
 */
export async function publish(
  tx: Tx,
  orgId: string,
  app: App,
  sessionId: string,
  ending: Ending,
): Promise<Published> {
  const scope = { orgId, appId: app.id, sessionId };
  const progress = await queries.progressOf(tx, orgId, sessionId);
  const activeBefore = await statements.activeAccounts(tx, scope);
  await statements.readStaged(tx, scope);

  const updated = await statements.updateEntitlements(tx, scope);
  const created = await statements.insertEntitlements(tx, scope);
  if (await statements.hasAwaited(tx, scope)) await statements.adoptAwaited(tx, scope);
  const accountsUpdated = await statements.updateAccounts(tx, scope);
  if (accountsUpdated > 0) await linkAccounts(tx, orgId, sql`account_change`);
  const accountsCreated = await statements.insertAccounts(tx, scope);
  await statements.resolveMemberships(tx, scope);
  const added = await statements.insertMemberships(tx, scope);
  await statements.acknowledgeMemberships(tx, scope);
  await statements.takeOutOfOtherPlans(tx, scope);
  const dropped = await statements.findDropped(tx, scope);

  const held = ending === 'complete' ? await planAndGuard(tx, scope, app, activeBefore, dropped) : null;
  if (held === null) await statements.deleteDropped(tx, scope);
  else await statements.planDropped(tx, scope);

  const staged = await statements.stagedCounts(tx);
  const found: Published = {
    counts: {
      created: created + accountsCreated,
      updated: updated + accountsUpdated,
      unchanged:
        staged.accounts + staged.entitlements - created - accountsCreated - updated - accountsUpdated,
      removed: 0,
    },
    memberships: { added, removed: held === null ? dropped : 0 },
    held,
  };
  await queries.setPublished(tx, orgId, sessionId, { progress, ...found });
  await queries.discardStaged(tx, orgId, sessionId);
  if (app.last_synced_at !== null) await recordChanges(tx, scope, held === null);
  return found;
}

/** Freezes the plan of removal; answers what it holds if the guard forbids it, else null. */
async function planAndGuard(
  tx: Tx,
  scope: statements.Scope,
  app: App,
  activeBefore: number,
  dropped: number,
): Promise<Held | null> {
  const planned = await statements.planRemoval(tx, scope);
  const guard = app.removal_guard;
  if (guard === null || planned.accounts + planned.entitlements + dropped === 0) return null;
  const losses = await statements.plannedLosses(tx, scope);
  const exceeds = (lost: number, of: number) => lost >= guard.at_least && lost * 100 > guard.percent * of;
  if (exceeds(losses.accounts, activeBefore)) return losses;
  if (losses.memberships < guard.at_least) return null;
  return exceeds(losses.memberships, await statements.membershipsBefore(tx, scope)) ? losses : null;
}

/** One event for every account and group membership that changed (D27). */
async function recordChanges(tx: Tx, scope: statements.Scope, droppedIsGone: boolean): Promise<void> {
  const changes = [
    accountEventsFrom(scope, sql`account_change`),
    groupEventsFrom(scope, 'account.group.added', sql`added_membership`),
    ...(droppedIsGone ? [groupEventsFrom(scope, 'account.group.removed', sql`dropped_membership`)] : []),
  ];
  await recordEventsFrom(tx, scope.orgId, sql.join(changes, sql` union all `));
}
