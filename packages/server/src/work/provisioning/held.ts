import type { App } from '#inventory/apps/app.ts';
import { holdApps } from '#inventory/apps/facts.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { type Losses, lockBudgets, usedBudgets } from '#inventory/records/budget/budget.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import { appHoldHooks, type HeldDecision } from './app-holds.ts';
import { cancelTasks } from './cancel.ts';
import { heldTasksDecided } from './events.ts';
import { keepTaken } from './given.ts';
import { listTasks } from './list.ts';
import { withoutOwn } from './own-afterwards.ts';
import type { PlanCounts } from './plan-counts.ts';
import { promoteDue } from './promote.ts';
import * as queries from './queries/budget.ts';
import type { TaskPlace } from './queries/find.ts';
import { reasonSentences } from './reason-sentences.ts';
import { taskRefusals } from './sentences.ts';
import type { Task } from './task.ts';

const AT_ONCE = 1000;

/** The effects of the held tasks of an app, and how much of its budget is used. */
export interface HeldPlan extends Slice<Task> {
  counts: PlanCounts;
  used: Losses;
}

/** Lists the tasks of an app that exceed its daily budget and wait for confirmation (D46), newest first. */
export async function listHeld(call: Call, app: App, page: Page): Promise<HeldPlan> {
  const slice = await listTasks(call, { app: app.id, held: true }, page);
  const used = (await usedBudgets(call, [app.id])).get(app.id) ?? {
    accounts: 0,
    memberships: 0,
  };
  return { ...slice, counts: await queries.countHeld(call, app.id), used };
}

/**
 * Releases held tasks of an app (null: all) so that they have their turn, without those that give access to somebody behind the call. Returns
 * their number. 409 if none of them is held, and 403 if all of them are the caller's own.
 */
export async function confirmHeld(call: Call, app: App, only: readonly string[] | null): Promise<number> {
  const { userId } = call.principal;
  const count = await transaction(call, async (tx) => {
    const held = await queries.lockHeld(tx, app.id, only);
    if (held.length === 0) throw nothingHeld(app);
    const { tasks, waived } = await withoutOwn(tx, held);
    const ids = tasks.map(({ id }) => id);
    await queries.release(tx, ids, userId);
    await noteDecision(tx, tasks, { appId: app.id, decision: 'confirmed', by: userId, reason: null });
    await recordEvents(tx, [...waived, heldTasksDecided('removal_budget.confirmed', app, ids, call.cause)]);
    return ids.length;
  });
  await promoteDue(call, app.id);
  return count;
}

/**
 * Cancels held tasks of an app (null: all), for a reason if one is given, without those that take something away from somebody behind the call.
 * Returns their number. 409 if none of them is held, and 403 if all of them are the caller's own.
 */
export async function rejectHeld(
  call: Call,
  app: App,
  only: readonly string[] | null,
  why: string | null = null,
): Promise<number> {
  const given = why?.trim() ?? '';
  const reason =
    given === ''
      ? reasonSentences.task_over_budget()
      : reasonSentences.task_over_budget_because({ why: given });
  for (let count = 0; ; ) {
    const { found, rejected } = await transaction(call, async (tx) => {
      await holdApps(tx, [app.id]);
      const held = await queries.findHeld(tx, app.id, { only, limit: AT_ONCE });
      // Before the tasks, in the order of locks.
      await lockAccounts(tx, [...new Set(held.map(({ account_id }) => account_id))]);
      const locked = await queries.lockHeld(
        tx,
        app.id,
        held.map(({ id }) => id),
      );
      if (locked.length === 0) return { found: held.length, rejected: 0 };
      const { tasks, waived } = await withoutOwn(tx, locked, { rejected: true });
      const ids = tasks.map(({ id }) => id);
      await keepTaken(tx, ids, call.principal.userId, reason.text);
      const { events } = await cancelTasks(tx, tasks, call.cause, reason);
      const by = call.principal.userId;
      await noteDecision(tx, tasks, { appId: app.id, decision: 'discarded', by, reason: why });
      await recordEvents(tx, [
        ...waived,
        ...events,
        heldTasksDecided('removal_budget.rejected', app, ids, call.cause),
      ]);
      return { found: held.length, rejected: ids.length };
    });
    count += rejected;
    if (found === AT_ONCE) continue;
    if (count === 0) throw nothingHeld(app);
    return count;
  }
}

async function noteDecision(
  tx: OrgTx,
  tasks: readonly TaskPlace[],
  decision: Omit<HeldDecision, 'accounts'>,
): Promise<void> {
  // Tasks that begin to wait at the same time belong to this hold, or come after the decision.
  await lockBudgets(tx, [decision.appId]);
  const accounts = new Set(tasks.map(({ account_id }) => account_id)).size;
  for (const hook of appHoldHooks.of(tx)) await hook.decide(tx, { ...decision, accounts });
}

const nothingHeld = ({ name }: App) => taskRefusals.no_tasks_held({ name });
