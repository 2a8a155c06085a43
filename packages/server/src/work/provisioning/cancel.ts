import { holdApps } from '#inventory/apps/facts.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { closeLosses } from '#inventory/records/budget/budget.ts';
import type { OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import { taskEvent } from './events.ts';
import { giveBack, giveUp } from './given.ts';
import { lastAttempts, openTasksOfSource, type TaskPlace } from './queries/find.ts';
import { lockOpenTasks, lockTask } from './queries/lock.ts';
import { endWaiting } from './queries/returned.ts';
import { endTasks, stopRetries } from './queries/update.ts';
import { advanceQueue, putBackPreemptedBy } from './queue.ts';
import { reasonOf } from './reason-sentences.ts';
import { taskRefusals } from './sentences.ts';
import { withdrawSuspensions } from './suspended.ts';
import { isTerminal, type TaskSource } from './task.ts';

/** Cancels a task. 404 for an unknown one, 409 if it has ended. The caller records the events, last. */
export async function cancelTask(
  tx: OrgTx,
  taskId: string,
  cause: Cause,
  reason: Sentence | string,
): Promise<NewEvent[]> {
  const task = await lockTask(tx, taskId);
  if (task === undefined) throw notFound('Task');
  if (isTerminal(task.status)) throw taskRefusals.task_ended({ status: task.status });
  return cancelLocked(tx, [{ id: taskId, account_id: task.account_id }], cause, reason);
}

/** Cancels the open tasks of a decision, or `only` these among them, and those that wait for what was away. The caller records the events, last. */
export async function cancelTasksOf(
  tx: OrgTx,
  source: TaskSource,
  cause: Cause,
  reason: Sentence | string,
  only?: ReadonlySet<string>,
): Promise<NewEvent[]> {
  const found = await openTasksOfSource(tx, source.type, source.id);
  const tasks = found.filter(({ id }) => only?.has(id) ?? true);
  return (await cancelTasks(tx, tasks, cause, reason)).events;
}

/**
 * Cancels those of these tasks that are still open. Those that wait for what was away are not created again. `withRetries`: the latest
 * retries of these tasks instead, and what failed is not retried. Returns as `withdrawn` the tasks that did not end in another way before.
 * The caller records the events, last.
 */
export async function cancelTasks(
  tx: OrgTx,
  tasks: readonly TaskPlace[],
  cause: Cause,
  reason: Sentence | string,
  { withRetries = false } = {},
): Promise<{ withdrawn: string[]; events: NewEvent[] }> {
  if (tasks.length === 0) return { withdrawn: [], events: [] };
  await holdApps(tx, [...new Set(tasks.map(({ app_id }) => app_id))]);
  await lockAccounts(tx, [...new Set(tasks.map(({ account_id }) => account_id))]);
  const made = tasks.map(({ id }) => id);
  const attempts = withRetries
    ? await lastAttempts(tx, made)
    : tasks.map(({ id, account_id }) => ({ made: id, id, account_id }));
  const ids = attempts.map(({ id }) => id);
  const accountIds = [...new Set(attempts.map(({ account_id }) => account_id))];
  const open = new Set((await lockOpenTasks(tx, accountIds)).map(({ id }) => id));
  await endWaiting(tx, ids);
  const failed = new Set(withRetries ? await stopRetries(tx, ids, reasonOf(reason)) : []);
  return {
    withdrawn: attempts.filter(({ id }) => open.has(id) || failed.has(id)).map((attempt) => attempt.made),
    events: await cancelLocked(
      tx,
      attempts.filter(({ id }) => open.has(id)),
      cause,
      reason,
    ),
  };
}

/** Cancels open tasks whose accounts the caller has locked. The caller records the events, last. */
export async function cancelLocked(
  tx: OrgTx,
  tasks: readonly { id: string; account_id: string }[],
  cause: Cause,
  reason: Sentence | string,
): Promise<NewEvent[]> {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => id);
  const said = reasonOf(reason);
  await endTasks(
    tx,
    ids.map((id) => ({ id, status: 'cancelled', reason: said, preempted_by: null, awaits_return: false })),
  );
  await closeLosses(tx, ids, 'none');
  const ends = [...(await giveUp(tx, ids, cause, said.text)), ...(await giveBack(tx, ids, cause))];
  await withdrawSuspensions(tx, ids, cause, { label: said.text });
  const accountIds = tasks.map(({ account_id }) => account_id);
  const advanced = await advanceQueue(tx, accountIds, cause, ids);
  const again = await putBackPreemptedBy(tx, ids, cause);
  const cancelled = advanced.tasks.map((task) =>
    taskEvent(task, cause, 'task.cancelled', { reason: said.text }),
  );
  return [...cancelled, ...ends, ...advanced.events, ...again];
}
