import type { App } from '#inventory/apps/app.ts';
import type { Held } from '#inventory/apps/held.ts';
import type { Org, OrgTx } from '#kit/database.ts';
import type { RawBuilder } from '#kit/sql.ts';
import { exceedsBudget, usedBudgets } from '../budget/budget.ts';
import type { Losses, SyncLosses } from '../budget/losses.ts';
import { beginRemoval } from '../history/change.ts';
import type { Ended } from './ended.ts';
import type { Memberships, Pushed } from './memberships.ts';
import { selectStaleAccounts } from './queries/accounts.ts';
import { endedDifferences, lostDifferences, removedDifferences } from './queries/differences.ts';
import { selectStagedIds, selectStaleEntitlements } from './queries/entitlements.ts';
import { countMemberships } from './queries/memberships.ts';
import * as plan from './queries/plan.ts';
import { rowsOf } from './queries/relations.ts';
import { countAccess, countActiveAccounts, type Removal, stillRemovable } from './queries/removal.ts';
import { recordResourceChanges } from './queries/resources.ts';
import type { droppedMembership, Scope } from './relations.ts';
import { type Removed, removeStale } from './removal.ts';
import type { Staged } from './stage.ts';

/** The access that a publication takes away, and the part that the removal guard holds. */
interface Decision {
  losses: SyncLosses;
  held: Held | null;
}

/** The app's access before the publication, which the removal guard compares the losses with. */
export interface Before {
  activeAccounts: number;
  /** Counts the memberships. It takes long for a large app, so it is called only when it matters. */
  memberships(): Promise<number>;
}

/**
 * Freezes the records that a completed session makes stale: accounts and entitlements that it neither pushed nor
 * referred to (D16, D17). Returns what the plan takes away together with the dropped memberships and the statuses that end access, and
 * the same as `held` if an administrator has to approve that (D24a, D46, D78).
 */
export async function planRemoval(
  tx: OrgTx,
  scope: Scope,
  app: App,
  {
    staged,
    pushed,
    dropped,
    ended,
  }: { staged: Staged; pushed: Pushed; dropped: Memberships<typeof droppedMembership>; ended: Ended },
  before: Before,
): Promise<Decision> {
  const startedAt = plan.startedAt(scope);
  const accounts = staged.isFirst
    ? 0
    : await plan.planAccounts(
        tx,
        scope,
        selectStaleAccounts(scope, pushed.accounts, {
          startedAt,
          unreadable: staged.unreadable.accountTypes,
        }),
      );
  const entitlements = await plan.planEntitlements(
    tx,
    scope,
    selectStaleEntitlements(scope, staged.entitlements, startedAt, staged.unreadable.entitlements),
  );
  const { suspended } = ended;
  if (app.removal_guard === null || accounts + entitlements + dropped.count + ended.count === 0)
    return { losses: { accounts: ended.count, suspended, memberships: dropped.count }, held: null };
  const access = await countAccess(tx, scope, plan.plannedAccounts(scope));
  const losses = {
    accounts: access.accounts + ended.count,
    suspended,
    memberships: access.memberships + dropped.count,
  };
  return { losses, held: await heldOf(tx, scope, app, losses, { ...before, ...staged }) };
}

/** Does the same for an abandoned session, in which only statuses end access (D17). */
export async function endingsOf(
  tx: OrgTx,
  scope: Scope,
  app: App,
  { count, suspended }: Ended,
  before: Before,
): Promise<Decision> {
  const losses = { accounts: count, suspended, memberships: 0 };
  return { losses, held: count === 0 ? null : await guarded(tx, scope, app, losses, before) };
}

/** A completion without any account is held if the app has at least so many active accounts (D78). */
const ACTIVE_ACCOUNTS = 20;

/**
 * Returns the losses of a completion if an administrator has to approve them, else null: they exceed the app's daily budget, or no
 * account was pushed.
 */
export async function heldOf(
  tx: OrgTx,
  scope: Scope,
  app: App,
  losses: Losses,
  before: Before & Pick<Staged, 'pushedAccounts'>,
): Promise<Held | null> {
  const { accounts, memberships } = losses;
  const lacksAccounts = before.pushedAccounts === 0 && before.activeAccounts >= ACTIVE_ACCOUNTS;
  if (app.removal_guard !== null && lacksAccounts && accounts > 0)
    return { accounts, memberships, reason: 'no_accounts' };
  return guarded(tx, scope, app, losses, before);
}

/** Returns the losses if they exceed the app's daily budget, else null. */
async function guarded(
  tx: OrgTx,
  scope: Scope,
  app: App,
  { accounts, memberships }: Losses,
  before: Before,
): Promise<Held | null> {
  const used = (await usedBudgets(tx, [scope.appId])).get(scope.appId);
  if (used === undefined) throw new Error('The losses of the app are missing.');
  const existing = { accounts: async () => before.activeAccounts, memberships: before.memberships };
  const losses = { accounts, memberships };
  return (await exceedsBudget(app.removal_guard, losses, used, existing)) ? losses : null;
}

/** Returns the app's present access, for a publication that has not begun. */
export const accessBefore = async (tx: OrgTx, scope: Scope): Promise<Before> => ({
  activeAccounts: await countActiveAccounts(tx, scope),
  memberships: () => countMemberships(tx, scope),
});

/** Counts the app's memberships without those that this publication has added. */
export const membershipsBefore = async (tx: OrgTx, scope: Scope, added: number): Promise<number> =>
  (await countMemberships(tx, scope)) - added;

/** Adds the dropped memberships to the plan of a session that is held. */
export const planDroppedMemberships = (
  tx: OrgTx,
  scope: Scope,
  dropped: Memberships<typeof droppedMembership>,
): Promise<void> => plan.planMemberships(tx, scope, dropped.rows);

/** Takes the pushed records out of the plans of the app's other sessions: they are not stale. */
export async function removeFromOtherPlans(
  tx: OrgTx,
  scope: Scope,
  staged: Staged,
  pushed: Pushed,
): Promise<void> {
  for (const planId of await plan.otherPlans(tx, scope)) {
    await plan.removeFromPlan(tx, scope, planId, {
      accounts: rowsOf(scope, pushed.accounts),
      entitlements: selectStagedIds(scope, staged.entitlements),
      memberships: rowsOf(scope, pushed.memberships),
    });
  }
}

/** The part of the plan of a session that carrying it out now would remove, as queries. */
export const stillHeld = (scope: Scope) =>
  stillRemovable(scope, { ...plan.planOf(scope), startedAt: plan.startedAt(scope) });

/** Selects what a removal takes as differences. */
export const differencesOf = (org: Org, removal: Removal): RawBuilder<unknown> =>
  plan.unionOf(
    removedDifferences(org, removal),
    endedDifferences(org, removal.ended),
    lostDifferences(org.orgId, removal.memberships),
  );

/** Selects what is held as differences. */
export const heldDifferences = (scope: Scope): RawBuilder<unknown> => {
  const held = stillHeld(scope);
  return differencesOf(scope, held);
};

/** Carries out the plan of a session and deletes it. */
export async function carryOutPlan(tx: OrgTx, scope: Scope, app: App): Promise<Removed> {
  const change = await beginRemoval(tx, scope.sessionId);
  await recordResourceChanges(tx, scope, removedDifferences(scope, stillHeld(scope)));
  const removed = await removeStale(tx, scope, change, {
    ...plan.planOf(scope),
    startedAt: plan.startedAt(scope),
    lastSyncedAt: app.last_synced_at,
  });
  await plan.deletePlan(tx, scope);
  return removed;
}
