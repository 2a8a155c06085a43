import type { App } from '#inventory/apps/app.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Losses, TaskLosses, Used } from './losses.ts';
import * as queries from './queries/losses.ts';

export type { Losses, TaskLosses } from './losses.ts';
/** How much an app has. Functions, because counting takes long and is rarely needed. */
export interface Existing {
  accounts(): Promise<number>;
  memberships(): Promise<number>;
}

/** How much it had 24 hours ago, or after its first sync if that was later. */
export interface Earlier {
  accountsADayAgo(): Promise<number>;
}

/**
 * Whether an app's losses of the last 24 hours together with `losses` exceed its removal guard (D24a, D46): at least
 * as many, and a larger share of what the app had, than it allows. All losses share one budget, whatever causes them:
 * syncs, policies, reviews, requests and administrators. `existing` is what the app has without `losses` being applied.
 */
export async function exceedsBudget(
  guard: App['removal_guard'],
  losses: Losses,
  used: Used,
  existing: Existing,
): Promise<boolean> {
  for (const kind of ['accounts', 'memberships'] as const) {
    const total = losses[kind] + used[kind];
    if (guard === null || losses[kind] === 0 || total < guard.at_least) continue;
    const before = (await existing[kind]()) + used.gone[kind];
    if (total * 100 > guard.percent * before) return true;
  }
  return false;
}

/** Even few tasks of a small app are held if they leave less than this part of the accounts that it had 24 hours ago (D78). */
const LEAST_LEFT = 1 / 5;
const LEAST_TAKEN = 3;

/**
 * Whether tasks would exceed the budget of an app (D46), or take nearly all of its accounts: more than its percentage of those of 24
 * hours ago, such that less than a fifth of them is left.
 */
export async function tasksExceedBudget(
  guard: App['removal_guard'],
  losses: Losses,
  used: Used,
  existing: Existing & Earlier,
): Promise<boolean> {
  if (await exceedsBudget(guard, losses, used, existing)) return true;
  const total = losses.accounts + used.accounts;
  if (guard === null || losses.accounts === 0 || total < LEAST_TAKEN) return false;
  const left = (await existing.accounts()) + used.gone.accounts - total;
  // Counting those of a day ago takes longer. There were not many more of them.
  if (left >= LEAST_LEFT * (left + total)) return false;
  const before = await existing.accountsADayAgo();
  // One account can be taken several times in a day.
  return before >= LEAST_TAKEN && total * 100 > guard.percent * before && left < LEAST_LEFT * before;
}

/** Returns the losses that count against the budgets of these apps now, by app. Apps without losses are included. */
export async function usedBudgets(db: OrgDb, appIds: readonly string[]): Promise<Map<string, Used>> {
  const rows = await queries.recentLosses(db, appIds);
  const none: Used = { accounts: 0, memberships: 0, gone: { accounts: 0, memberships: 0 } };
  return new Map(appIds.map((id) => [id, rows.find(({ app_id }) => app_id === id)?.used ?? none]));
}

/**
 * Locks the budgets of these apps until `tx` ends, and returns the losses that count against them now. Comes after the locks of tasks
 * and before that of the log head.
 */
export async function lockBudgets(tx: OrgTx, appIds: readonly string[]): Promise<Map<string, Used>> {
  await queries.lockBudgets(tx, appIds);
  return usedBudgets(tx, appIds);
}

/** Counts what these tasks will take away, except those that take nothing. */
export const recordLosses = (tx: OrgTx, losses: readonly TaskLosses[]): Promise<void> =>
  queries.recordLosses(
    tx,
    losses.filter(({ accounts, memberships }) => accounts + memberships > 0),
  );

/**
 * Closes the losses of tasks that have ended. Access that they took away counts for a day from now on: it is suspended, or
 * no longer exists in the inventory (`gone`). The losses of a task without an effect are removed.
 */
export const closeLosses = (
  tx: OrgTx,
  taskIds: readonly string[],
  effect: 'none' | 'suspended' | 'gone',
): Promise<void> =>
  effect === 'none' ? queries.deleteLosses(tx, taskIds) : queries.closeLosses(tx, taskIds, effect === 'gone');
