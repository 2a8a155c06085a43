import { closeLosses } from '#inventory/records/budget/budget.ts';
import { type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, Cause } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { NOTHING_READ, type ReadBack, readBackOf } from './confirmation.ts';
import { applyEffect } from './effects.ts';
import { createdEvent, taskEvent } from './events.ts';
import { followReport } from './given.ts';
import { insertChanges, insertTasks } from './queries/insert.ts';
import { lockTask } from './queries/lock.ts';
import { endReportedTask } from './queries/views.ts';
import { advanceQueue, putBackPreemptedBy } from './queue.ts';
import { type FollowUp, retry } from './retry.ts';
import { taskRefusals } from './sentences.ts';
import { type Action, type ErrorCode, isTerminal, type Task, type TaskError } from './task.ts';
import { type FoundAccount, foundAccountIn, handleTaken } from './user-names/taken.ts';

/** A connector's report about a task (protocol 4.10). */
export type Report = (
  | { status: 'completed'; accountId: string | null }
  | { status: 'failed'; error: TaskError; found?: FoundAccount | null }
) & { readBack?: ReadBack };

/** A task of an app, and what the person wrote who carried it out; undefined if a connector reports. */
interface Reported {
  appId: string;
  taskId: string;
  byPerson?: { note: string | null };
}

/** Seconds until the first, second and third retry (D30). */
export const RETRY_AFTER_SECONDS: readonly number[] = [60, 300, 1500];

const TAKES_AWAY: ReadonlySet<Action> = new Set(['delete_account', 'suspend_account', 'update_account']);
const RETRIED: ReadonlySet<ErrorCode> = new Set(['RATE_LIMITED', 'TIMEOUT']);

/** Reads a report from a request body. 400 if its fields contradict each other (D29). */
export function reportOf(body: {
  status: 'completed' | 'failed';
  result?: object | null;
  error?: TaskError | null;
}): Report {
  const error = body.error ?? null;
  if (body.status === 'failed') {
    if (error === null) throw taskRefusals.error_missing();
    // A read that shows what was asked for does not confirm a failure.
    const { confirmed, seen } = readBackOf(body.result ?? {});
    const readBack: ReadBack = { confirmed: confirmed === null ? null : 'none', seen };
    const found = foundAccountIn(body.result ?? {});
    return { status: 'failed', error: { code: error.code, message: error.message }, found, readBack };
  }
  if (error !== null) throw taskRefusals.error_of_completed();
  const result = body.result ?? {};
  return { status: 'completed', accountId: accountIdOf(result), readBack: readBackOf(result) };
}

const LONGEST_ID = 512;

/** Returns `result.account.id` (D24). */
function accountIdOf(result: object): string | null {
  const account = 'account' in result ? result.account : null;
  const id = account !== null && typeof account === 'object' && 'id' in account ? account.id : undefined;
  return typeof id === 'string' && id !== '' && id.length <= LONGEST_ID ? id : null;
}

/**
 * Takes a connector's report: ends the task, applies its effect, creates the tasks that follow from it, and gives the
 * account's next task its turn, in one transaction. Of two concurrent reports the second is 409 (protocol 7.5). `alongside`
 * runs once the task is locked and is known to be pending.
 */
export async function reportTask(
  call: Call,
  { appId, taskId, byPerson }: Reported,
  report: Report,
  retryAfterSeconds: readonly number[],
  alongside: (tx: OrgTx) => Promise<void> = async () => {},
): Promise<Task> {
  const { cause } = call;
  return transaction(call, async (tx) => {
    const earlier = await lockPending(tx, appId, taskId, cause);
    await alongside(tx);
    const error = report.status === 'failed' ? report.error : null;
    const readBack = report.readBack ?? NOTHING_READ;
    const task = await endReportedTask(tx, taskId, { status: report.status, error, readBack });
    if (task === undefined) throw notFound('Task');
    const { events, followUp, externalId } =
      report.status === 'completed'
        ? await complete(tx, task, report.accountId, readBack, cause)
        : await fail(tx, task, { ...report, readBack }, retryAfterSeconds, cause);
    const read = followUp === null ? [] : [followUp.id];
    const queue = await advanceQueue(tx, [task.account_id], cause, read);
    const created = queue.tasks.flatMap((next) => followUp?.events(next) ?? []);
    const [ended, ...effects] = events;
    const said = byPerson === undefined ? ended : endedByPerson(ended, byPerson);
    await recordEvents(tx, [...earlier, said, ...effects, ...created, ...queue.events]);
    return { ...task, external_id: externalId };
  });
}

/** Locks the task, which must be pending. A scheduled task that has just become due gets its turn first (D31). */
async function lockPending(tx: OrgTx, appId: string, taskId: string, cause: Cause): Promise<NewEvent[]> {
  let task = await lockTask(tx, taskId);
  let events: NewEvent[] = [];
  if (task?.status === 'scheduled') {
    ({ events } = await advanceQueue(tx, [task.account_id], cause));
    task = await lockTask(tx, taskId);
  }
  if (task?.app_id !== appId || task.archived) throw notFound('Task');
  if (isTerminal(task.status)) throw taskRefusals.task_ended({ status: task.status });
  if (task.status === 'scheduled') throw taskRefusals.task_not_pending_yet();
  return events;
}

/** Adds to the event of a task's end that a person carried it out, and their note. */
const endedByPerson = (ended: NewEvent, { note }: { note: string | null }): NewEvent =>
  ({ ...ended, payload: { ...ended.payload, manual: true, ...(note === null ? {} : { note }) } }) as NewEvent;

interface Outcome {
  /** The event of the task's end, and those of its effects. */
  events: [ended: NewEvent, ...effects: NewEvent[]];
  followUp: FollowUp | null;
  externalId: string | null;
}

async function complete(
  tx: OrgTx,
  task: Task,
  reportedId: string | null,
  readBack: ReadBack,
  cause: Cause,
): Promise<Outcome> {
  if (TAKES_AWAY.has(task.action))
    await closeLosses(tx, [task.id], task.action === 'suspend_account' ? 'suspended' : 'gone');
  const { events, externalId, licenses } = await applyEffect(tx, task, reportedId, cause.actor);
  const ends = await followReport(tx, task, cause);
  return {
    events: [taskEvent(task, cause, 'task.completed', said(readBack)), ...events, ...ends],
    followUp: licenses.length === 0 ? null : await assignLicenses(tx, task, licenses, cause),
    externalId,
  };
}

/** The field of an event about the confirmation. None if the report does not say it, as those of people. */
const said = ({ confirmed }: ReadBack) => (confirmed === null ? {} : { confirmed });

/** Creates the task that assigns licenses to an account that was just created. */
async function assignLicenses(
  tx: OrgTx,
  task: Task,
  licenses: readonly string[],
  cause: Cause,
): Promise<FollowUp> {
  const [id] = await insertTasks(tx, [
    {
      app_id: task.app_id,
      account_id: task.account_id,
      action: 'update_account',
      execute_after: null,
      task_type: task.task_type,
      source_type: task.source?.type ?? null,
      source_id: task.source?.id ?? null,
      source_label: task.source_label,
      created_by: task.creator.id,
      reason: task.reason,
      preconditions: [],
      leaving: false,
      gives: true,
      released_by: null,
    },
  ]);
  const task_id = id as string;
  await insertChanges(
    tx,
    licenses.map((entitlement_id) => ({ task_id, entitlement_id, added: true })),
  );
  return { id: task_id, events: (created) => [createdEvent(created, cause)] };
}

interface Failure {
  error: TaskError;
  found?: FoundAccount | null;
  readBack: ReadBack;
}

/** Creates a retry if one may help: later (D30), or with another user name (D82). */
async function fail(
  tx: OrgTx,
  task: Task,
  { error, found = null, readBack }: Failure,
  retryAfterSeconds: readonly number[],
  cause: Cause,
): Promise<Outcome> {
  await closeLosses(tx, [task.id], 'none');
  const isTaken = error.code === 'ACCOUNT_ALREADY_EXISTS' && task.action === 'create_account';
  const isRenamed = isTaken && (await handleTaken(tx, task, found));
  const later = RETRIED.has(error.code) ? retryAfterSeconds[task.attempt - 1] : undefined;
  const delay = isRenamed ? 0 : later;
  const again =
    delay === undefined && task.action === 'delete_account'
      ? await putBackPreemptedBy(tx, [task.id], cause)
      : [];
  return {
    events: [
      taskEvent(task, cause, 'task.failed', {
        error,
        will_retry: delay !== undefined,
        ...said(readBack),
      }),
      ...again,
    ],
    followUp: delay === undefined ? null : await retry(tx, task.id, delay, cause),
    externalId: task.external_id,
  };
}
