import { retryCreation } from '#inventory/records/accounts/task-operations.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, Cause } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { createdEvent, taskEvent, userNameIn } from './events.ts';
import { wasRetried } from './queries/find.ts';
import { insertRetry } from './queries/insert.ts';
import { lockTask } from './queries/lock.ts';
import { tasksByIds } from './queries/views.ts';
import { advanceQueue } from './queue.ts';
import { taskRefusals } from './sentences.ts';
import type { Task } from './task.ts';
import { nameAgain } from './user-names/taken.ts';

/** A task that was created because another ended. The caller advances the queue and records its events. */
export interface FollowUp {
  id: string;
  /** The events of the task's creation, given the task as the queue left it. */
  events: (task: Task) => NewEvent[];
}

/** Creates a task that repeats a failed one after some seconds (D30). */
export async function retry(
  tx: OrgTx,
  taskId: string,
  afterSeconds: number,
  cause: Cause,
): Promise<FollowUp> {
  const id = await insertRetry(tx, taskId, afterSeconds);
  return {
    id,
    events: (task) => [
      createdEvent(task, cause),
      taskEvent(task, cause, 'task.retried', {
        retry_of: taskId,
        attempt: task.attempt,
        execute_after: task.execute_after,
        ...userNameIn(task),
      }),
    ],
  };
}

async function failedTask(tx: OrgTx, taskId: string): Promise<Task> {
  const [task] = await tasksByIds(tx, [taskId]);
  if (task === undefined) throw notFound('Task');
  return task;
}

/**
 * Retries a failed task immediately, for an administrator. Returns the id of the new task. 409 if the task did not fail, was
 * already retried or taken back, or would create an account that exists.
 */
export async function retryManually(call: Call, taskId: string): Promise<string> {
  const { cause } = call;
  return transaction(call, async (tx) => {
    const task = await lockTask(tx, taskId);
    if (task === undefined || task.archived) throw notFound('Task');
    if (task.status !== 'failed') throw taskRefusals.task_not_failed({ status: task.status });
    if (task.ended_reason !== null) throw taskRefusals.task_not_retryable({ reason: task.ended_reason });
    if (await wasRetried(tx, taskId)) throw taskRefusals.task_retried();
    if (task.action === 'create_account') {
      if (!(await retryCreation(tx, task.account_id))) throw taskRefusals.account_exists_already();
      await nameAgain(tx, await failedTask(tx, taskId));
    }
    const followUp = await retry(tx, taskId, 0, cause);
    const queue = await advanceQueue(tx, [task.account_id], cause, [followUp.id]);
    await recordEvents(tx, [...queue.tasks.flatMap(followUp.events), ...queue.events]);
    return followUp.id;
  });
}
