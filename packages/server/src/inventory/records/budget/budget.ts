import type { OrgDb } from '../../../kit/database/organization.ts';
import type { App } from '../../apps/apps.ts';
import type { Losses, Used } from './losses.ts';
import * as queries from './queries/losses.ts';

export type { Losses, TaskLosses } from './losses.ts';
export {
  closeLosses,
  countAccessOf,
  deleteLosses,
  hasLosses,
  lockBudgets,
  recordLosses,
  recordSyncLosses,
} from './queries/losses.ts';

/** How much an app has. Functions, because counting takes long and is rarely needed. */
export interface Existing {
  accounts(): Promise<number>;
  memberships(): Promise<number>;
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

/** Returns the losses that count against the budgets of these apps now, by app. Apps without losses are included. */
export async function usedBudgets(db: OrgDb, appIds: readonly string[]): Promise<Map<string, Used>> {
  const rows = await queries.recentLosses(db, appIds);
  const none: Used = { accounts: 0, memberships: 0, gone: { accounts: 0, memberships: 0 } };
  return new Map(appIds.map((id) => [id, rows.find(({ app_id }) => app_id === id)?.used ?? none]));
}
