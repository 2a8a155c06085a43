import { type App, lockApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import { type Losses, usedBudgets } from '../inventory/budget/budget.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { cancelTasks } from './cancel.ts';
import { heldTasksDecided } from './events.ts';
import { listTasks } from './list.ts';
import type { PlanCounts } from './plan-counts.ts';
import { promoteDue } from './promote.ts';
import * as queries from './queries/budget.ts';
import type { Task } from './queries/views.ts';

export { countHeldTasks } from './queries/budget.ts';

const AT_ONCE = 1000;

/** What the held tasks of an app would do, and how much of its budget is used. */
export interface HeldPlan extends Slice<Task> {
  counts: PlanCounts;
  used: Losses;
}

/** Lists the tasks of an app that exceed its daily budget and wait for confirmation (D46), newest first. */
export async function listHeld(db: Db, principal: Principal, app: App, page: Page): Promise<HeldPlan> {
  const { orgId } = principal;
  const filter = {
    status: null,
    action: null,
    account: null,
    user: null,
    errorCode: null,
    source: null,
    email: null,
  };
  const slice = await listTasks(db, principal, { ...filter, app: app.id, waitsFor: 'confirmation' }, page);
  const used = (await usedBudgets(db, orgId, [app.id])).get(app.id) ?? { accounts: 0, memberships: 0 };
  return { ...slice, counts: await queries.countHeld(db, orgId, app.id), used };
}

/**
 * Releases held tasks of an app (null: all) so that they have their turn. Returns their number. 409 if none of them is
 * held.
 */
export async function confirmHeld(
  db: Db,
  principal: Principal,
  app: App,
  only: readonly string[] | null,
  cause: RequestCause,
): Promise<number> {
  const { orgId, userId } = principal;
  const count = await transaction(db, async (tx) => {
    const tasks = await queries.lockHeld(tx, orgId, app.id, { only, limit: null });
    if (tasks.length === 0) throw nothingHeld(app);
    const ids = tasks.map(({ id }) => id);
    await queries.release(tx, orgId, ids, userId);
    await recordEvents(tx, orgId, [heldTasksDecided('removal_budget.confirmed', app, ids, cause)]);
    return ids.length;
  });
  await promoteDue(db, { orgId, apps: [app.id] });
  return count;
}

/** Cancels held tasks of an app (null: all). Returns their number. 409 if none of them is held. */
export async function rejectHeld(
  db: Db,
  { orgId }: Principal,
  app: App,
  only: readonly string[] | null,
  cause: RequestCause,
): Promise<number> {
  const reason = 'The task exceeded the daily budget of the app and was rejected.';
  for (let count = 0; ; ) {
    const done = await transaction(db, async (tx) => {
      // Nobody else holds the accounts of the app's tasks while this transaction locks the tasks first.
      await lockApp(tx, orgId, app.id);
      const tasks = await queries.lockHeld(tx, orgId, app.id, { only, limit: AT_ONCE });
      if (tasks.length === 0) return 0;
      const events = await cancelTasks(tx, orgId, tasks, cause, reason);
      const ids = tasks.map(({ id }) => id);
      await recordEvents(tx, orgId, [
        ...events,
        heldTasksDecided('removal_budget.rejected', app, ids, cause),
      ]);
      return ids.length;
    });
    count += done;
    if (count === 0) throw nothingHeld(app);
    if (done < AT_ONCE) return count;
  }
}

const nothingHeld = ({ name }: App) => conflict(`No tasks of ${name} wait for confirmation.`);
