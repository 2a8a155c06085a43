import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid, notFound } from '../platform/errors.ts';
import { takeEffect } from './effects.ts';
import { taskEvent } from './events.ts';
import type { Task } from './queries/views.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import { alreadyIn, type ErrorCode, isTerminal, type TaskError } from './task.ts';
import { takeTurns } from './turn.ts';

/** What a connector says of a task (contract 4.10). */
export type Report =
  | { status: 'completed'; accountId: string | null }
  | { status: 'failed'; error: TaskError };

/** D30: seconds until the first, second and third retry; no further one. */
export const RETRY_AFTER_SECONDS: readonly number[] = [60, 300, 1500];

const RETRIED: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'TIMEOUT']);

/** D29. Throws 400 where the body contradicts itself. */
export function reportOf(body: {
  status: 'completed' | 'failed';
  result?: object | null;
  error?: TaskError | null;
}): Report {
  const error = body.error ?? null;
  if (body.status === 'failed') {
    if (error === null)
      throw invalid('Field required (error): a failed task needs an error with code and message.');
    return { status: 'failed', error: { code: error.code, message: error.message } };
  }
  if (error !== null) throw invalid('A completed task has no error.');
  return { status: 'completed', accountId: accountIdOf(body.result ?? {}) };
}

const LONGEST_ID = 512;

/** `result.account.id` (D24); the rest of `result` is reserved (contract 2.6). */
function accountIdOf(result: object): string | null {
  const account = 'account' in result ? result.account : null;
  const id = account !== null && typeof account === 'object' && 'id' in account ? account.id : undefined;
  return typeof id === 'string' && id !== '' && id.length <= LONGEST_ID ? id : null;
}

/**
 * Takes a connector's report (contract 4.10): the task's end, what it means for the inventory, a retry, and the turn
 * of the account's next task, all or nothing. Of two reports at once the second is 409 (contract 7.5).
 */
export async function reportTask(
  { db, retryAfterSeconds }: { db: Db; retryAfterSeconds: readonly number[] },
  orgId: string,
  appId: string,
  taskId: string,
  report: Report,
  cause: Cause,
): Promise<Task> {
  return transaction(db, async (tx) => {
    const early = await lockPending(tx, orgId, appId, taskId, cause);
    await queries.setReported(
      tx,
      orgId,
      taskId,
      report.status,
      report.status === 'failed' ? report.error : null,
    );
    const task = await viewOf(tx, orgId, taskId);
    const events =
      report.status === 'completed'
        ? [
            taskEvent(task, cause, 'task.completed', {}),
            ...(await takeEffect(tx, orgId, task, report.accountId, cause)),
          ]
        : await takeFailure(tx, orgId, task, report.error, retryAfterSeconds, cause);
    const turns = await takeTurns(tx, orgId, [task.account_id], cause);
    const answer =
      report.status === 'completed' && report.accountId !== null ? await viewOf(tx, orgId, taskId) : task;
    await recordEvents(tx, orgId, [...early, ...events, ...turns]);
    return answer;
  });
}

/** Locks the task, which must be pending; one that falls due this moment is (D31). */
async function lockPending(
  tx: Tx,
  orgId: string,
  appId: string,
  taskId: string,
  cause: Cause,
): Promise<NewEvent[]> {
  let task = await queries.lockTask(tx, orgId, taskId);
  let events: NewEvent[] = [];
  if (task?.status === 'scheduled') {
    events = await takeTurns(tx, orgId, [task.account_id], cause);
    task = await queries.lockTask(tx, orgId, taskId);
  }
  if (task?.app_id !== appId || task.archived) throw notFound('Task');
  if (isTerminal(task.status)) throw conflict(alreadyIn(task.status));
  if (task.status === 'scheduled')
    throw conflict("Task is in 'scheduled' state and cannot be updated before it is pending.");
  return events;
}

/** Stores what a failure means: a retry where one may help (D30), otherwise the end of an account that never was. */
async function takeFailure(
  tx: Tx,
  orgId: string,
  task: Task,
  error: TaskError,
  retryAfterSeconds: readonly number[],
  cause: Cause,
): Promise<NewEvent[]> {
  const delay = RETRIED.has(error.code) ? retryAfterSeconds[task.attempt - 1] : undefined;
  const failed = taskEvent(task, cause, 'task.failed', { error, will_retry: delay !== undefined });
  if (delay === undefined) {
    await queries.buryUnborn(tx, orgId, [task.account_id]);
    return [failed];
  }
  const { events } = await tryAgain(tx, orgId, task.id, delay, cause);
  return [failed, ...events];
}

/** A new task that wants what the failed one wanted (D30). */
async function tryAgain(tx: Tx, orgId: string, taskId: string, delay: number, cause: Cause) {
  const id = await queries.insertRetry(tx, orgId, taskId, delay);
  await queries.copyChanges(tx, orgId, taskId, id);
  const retry = await viewOf(tx, orgId, id);
  const { execute_after, reason, attempt } = retry;
  const events: NewEvent[] = [
    taskEvent(retry, cause, 'task.created', { execute_after, reason }),
    taskEvent(retry, cause, 'task.retried', { retry_of: taskId, attempt, execute_after }),
  ];
  return { id, events };
}

/**
 * An administrator has a failed task tried again, now. Answers the new task's id. 409 unless it failed, once it was
 * tried again, and for an account that has come to be meanwhile.
 */
export async function retryManually(db: Db, orgId: string, taskId: string, cause: Cause): Promise<string> {
  return transaction(db, async (tx) => {
    const locked = await queries.lockTask(tx, orgId, taskId);
    if (locked === undefined || locked.archived) throw notFound('Task');
    if (locked.status !== 'failed')
      throw conflict(`Task is in '${locked.status}' state; only a failed one can be tried again.`);
    if (await queries.wasRetried(tx, orgId, taskId)) throw conflict('This task was tried again already.');
    const task = await viewOf(tx, orgId, taskId);
    if (task.action === 'create_account' && !(await queries.rebirth(tx, orgId, locked.account_id)))
      throw conflict('The account is there by now.');
    const { id, events } = await tryAgain(tx, orgId, taskId, 0, cause);
    const turns = await takeTurns(tx, orgId, [locked.account_id], cause);
    await recordEvents(tx, orgId, [...events, ...turns]);
    return id;
  });
}

async function viewOf(tx: Tx, orgId: string, taskId: string): Promise<Task> {
  const [task] = await views.tasksByIds(tx, orgId, [taskId]);
  if (task === undefined) throw notFound('Task');
  return task;
}
