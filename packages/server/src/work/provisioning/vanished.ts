import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import { closeLosses } from '#inventory/records/budget/budget.ts';
import type { CountConfirmed, CountExpecting } from '#inventory/records/publication/plan/plan.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { taskEvent } from './events.ts';
import { followDeletion } from './given.ts';
import { endTasks } from './queries/update.ts';
import { countTasksFor, type Vanished, vanishedTasks } from './queries/vanished.ts';
import { countConfirmedRemovals } from './queries/views.ts';
import { advanceQueue } from './queue.ts';
import { reasonSentences } from './reason-sentences.ts';

/** Whether the task wanted what a sync now shows. */
const isDone = ({ action, only_removes }: Vanished) => action === 'delete_account' || only_removes;

/**
 * Ends the pending tasks of an app that nobody has to carry out any more, because a sync no longer shows the account, or the access that
 * they remove. A task that wanted just that is completed; others are canceled. The sync may have missed it: if it returns within 30
 * days, another task takes it away (D31). Runs in the transaction of the sync, which holds the app. Returns the events.
 */
export async function endVanished(tx: OrgTx, appId: string, cause: Cause): Promise<NewEvent[]> {
  const vanished = await vanishedTasks(tx, appId);
  if (vanished.length === 0) return [];
  const accountIds = vanished.map(({ account_id }) => account_id);
  await lockAccounts(tx, accountIds);
  const endings = vanished.map((task) => ({
    id: task.id,
    status: isDone(task) ? ('completed' as const) : ('cancelled' as const),
    reason: task.account_gone ? reasonSentences.sync_lost_account() : reasonSentences.sync_lost_access(),
    preempted_by: null,
    awaits_return: task.takes_away,
  }));
  await endTasks(tx, endings);
  const ids = endings.map(({ id }) => id);
  // The sync has counted what it took away.
  await closeLosses(tx, ids, 'none');
  const ends: NewEvent[] = [];
  for (const task of vanished)
    if (task.action === 'delete_account') ends.push(...(await followDeletion(tx, task, cause)));
  const { tasks, events } = await advanceQueue(tx, accountIds, cause, ids);
  const ended = tasks.map((task) => {
    const reason = task.ended_reason?.text ?? null;
    return task.status === 'completed'
      ? taskEvent(task, cause, 'task.completed', { reason })
      : taskEvent(task, cause, 'task.cancelled', { reason });
  });
  return [...ended, ...ends, ...events];
}

/** Counts the open tasks of an app that want removals of a plan. A CountExpecting (inventory/records/publication/plan/plan.ts). */
export const countExpecting: CountExpecting = countTasksFor;

/** Counts the removals that tasks have reported and that a sync confirms. A CountConfirmed (inventory/records/publication/plan/plan.ts). */
export const countConfirmed: CountConfirmed = countConfirmedRemovals;
