import {
  type Losses,
  lockBudgets,
  recordLosses,
  tasksExceedBudget,
  usedBudgets,
} from '#inventory/records/budget/budget.ts';
import { countAccessOf } from '#inventory/records/budget/facts.ts';
import type { OrgDb, OrgTx } from '#kit/database.ts';
import { decisionsOf, plannedLosses } from './queries/budget.ts';
import type { OpenTask } from './queries/lock.ts';
import type { TakingTask } from './task.ts';

/**
 * Counts what due tasks will take away against the daily budget of their apps (D46). Returns the tasks that exceed it:
 * they wait for confirmation. The tasks of one policy, or of access reviews, that are due together pass or wait together.
 * `apps` are the apps of `due`, and `stopped` are other due tasks, which will not run. The caller has locked the tasks.
 */
export async function overBudget(
  tx: OrgTx,
  due: readonly OpenTask[],
  apps: ReadonlySet<string>,
  stopped: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = due.filter(({ takes_away }) => takes_away).map(({ id }) => id);
  if (ids.length === 0) return new Set();
  const appIds = [...apps].sort();
  const used = await lockBudgets(tx, appIds);
  const held: string[] = [];
  for (const { app_id, guard, released, losses, ...decision } of await decisionsOf(tx, ids, stopped)) {
    const total = sumOf(losses);
    const before = used.get(app_id);
    if (before === undefined) throw new Error('The app of a task is missing.');
    const exceeds =
      decision.held || (await tasksExceedBudget(guard, total, before, countAccessOf(tx, app_id)));
    if (!released && exceeds) {
      held.push(...losses.map(({ task_id }) => task_id));
      continue;
    }
    await recordLosses(tx, losses);
    used.set(app_id, {
      ...before,
      accounts: before.accounts + total.accounts,
      memberships: before.memberships + total.memberships,
    });
  }
  return new Set(held).intersection(new Set(ids));
}

/** Whether tasks that do not exist yet would exceed the daily budget of an app if they were all due now (D46). */
export async function wouldExceedBudget(db: OrgDb, tasks: readonly TakingTask[]): Promise<boolean> {
  if (tasks.length === 0) return false;
  const planned = await plannedLosses(db, tasks);
  const used = await usedBudgets(
    db,
    planned.map(({ app_id }) => app_id),
  );
  for (const { app_id, guard, losses } of planned) {
    const before = used.get(app_id);
    if (before === undefined) throw new Error('The app of a task is missing.');
    if (await tasksExceedBudget(guard, losses, before, countAccessOf(db, app_id))) return true;
  }
  return false;
}

const sumOf = (losses: readonly Losses[]): Losses => ({
  accounts: losses.reduce((sum, { accounts }) => sum + accounts, 0),
  memberships: losses.reduce((sum, { memberships }) => sum + memberships, 0),
});
