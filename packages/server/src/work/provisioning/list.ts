import { appRefusals } from '#inventory/apps/sentences.ts';
import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type Cause, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { taskEvent } from './events.ts';
import type { TaskFilter } from './filters.ts';
import { promoteDue, recheckFetched } from './promote.ts';
import { appOfTask, placeOfTask } from './queries/find.ts';
import { markDispatched } from './queries/update.ts';
import * as views from './queries/views.ts';
import { taskRefusals } from './sentences.ts';
import { isTerminal, type Task, type TaskStatus } from './task.ts';

/**
 * Lists an app's tasks for its connector, oldest first (protocol 4.9, D10). Pending tasks that an API key lists count as
 * dispatched from now on, and due ones become pending first; each gets one task.dispatched event, however many connectors list
 * it (D28). A signed-in person only looks: another site can make their browser send a GET. `withPending` is false if people carry out the app's tasks.
 */
export async function listForConnector(
  call: Call,
  appId: string,
  { status, withPending }: { status: TaskStatus | null; withPending: boolean },
  page: Page,
): Promise<Slice<Task>> {
  const { keyId } = call.principal;
  if (keyId !== null) await promoteDue(call, appId);
  const wanted = (status === null ? LISTED : [status]).filter((one) => withPending || one !== 'pending');
  const read = async () => {
    const { count, results } = await views.listTasksOfApp(call, appId, wanted, page);
    return { count, results, undispatched: results.filter((task) => task.undispatched).map(({ id }) => id) };
  };
  let listed = await read();
  while (keyId !== null && (await recheckFetched(call, listed.undispatched))) listed = await read();
  const { count, results, undispatched } = listed;
  if (keyId !== null && undispatched.length > 0) await dispatch(call, undispatched, call.cause, keyId);
  const ids = results.map(({ id }) => id);
  const tasks = await views.tasksByIds(call, ids, keyId === null ? 'seen' : 'stored');
  // Tasks that were preempted or reported between the two statements no longer match. One that was not dispatched waits to be canceled (D74).
  const isListed = ({ status, dispatched_at }: Task) =>
    wanted.includes(status) && (keyId === null || status !== 'pending' || dispatched_at !== null);
  return { count, results: tasks.filter(isListed) };
}

const LISTED: readonly TaskStatus[] = ['scheduled', 'pending', 'completed', 'failed'];

async function dispatch(db: OrgDb, ids: string[], cause: Cause, keyId: string | null) {
  await transaction(db, async (tx) => {
    const { events } = await dispatchTasks(tx, ids, cause, keyId);
    await recordEvents(tx, events);
  });
}

/** Locks pending tasks and marks them as dispatched. Returns those that are pending, and the events to record. */
export async function dispatchTasks(
  tx: OrgTx,
  ids: readonly string[],
  cause: Cause,
  keyId: string | null,
): Promise<{ pending: Task[]; events: NewEvent[] }> {
  const marked = new Set(await markDispatched(tx, ids));
  const pending = (await views.tasksByIds(tx, [...ids])).filter(({ status }) => status === 'pending');
  const events = pending
    .filter(({ id }) => marked.has(id))
    .map((task) => taskEvent(task, cause, 'task.dispatched', { api_key_id: keyId }));
  return { pending, events };
}

/** Returns a task of an app (D14). 404 for a task of another app. */
export async function taskOfApp(db: OrgDb, appId: string, taskId: string): Promise<Task> {
  const [task] = isUuid(taskId) ? await views.tasksByIds(db, [taskId], 'seen') : [];
  if (task?.app_id !== appId) throw notFound('Task');
  return task;
}

/** Throws 404 unless the task belongs to the app, and 409 if it has ended, whatever the report says (D29). */
export async function requireReportable(db: OrgDb, appId: string, taskId: string): Promise<void> {
  const task = isUuid(taskId) ? await placeOfTask(db, taskId) : undefined;
  if (task?.app_id !== appId) throw notFound('Task');
  if (isTerminal(task.status)) throw taskRefusals.task_ended({ status: task.status });
}

/**
 * Throws 404 for an unknown task; 403 for an app that the key may not access (D7), and for a member who asks for a task
 * of another person's account.
 */
export async function requireAccessibleTask(call: Call, taskId: string): Promise<{ id: string }> {
  const appId = isUuid(taskId) ? await appOfTask(call, taskId) : undefined;
  if (appId === undefined) throw notFound('Task');
  if (!mayTouchApp(call.principal, appId)) throw taskRefusals.key_without_app_of_task();
  if (call.principal.role === 'member') {
    const [task] = await views.tasksByIds(call, [taskId]);
    if (task?.user_id !== call.principal.userId) throw notYours();
  }
  return { id: taskId };
}

const notYours = () => taskRefusals.tasks_of_own_accounts();

/**
 * Lists tasks (protocol 4.15). A key that is limited to some apps sees the tasks of these; asking for another app is 403
 * (D7). Members see the tasks of their own accounts.
 */
export async function listTasks(call: Call, filter: TaskFilter, page: Page): Promise<Slice<Task>> {
  const { userId, role, apps } = call.principal;
  if (filter.app !== undefined && !mayTouchApp(call.principal, filter.app))
    throw appRefusals.key_without_app();
  const isMember = role === 'member';
  if (isMember && filter.user !== undefined && filter.user.toLowerCase() !== userId) throw notYours();
  const listed = {
    ...filter,
    ...(isMember ? { user: userId } : {}),
    apps: apps === 'all' ? null : [...apps],
  };
  const slice = await views.listTasks(call, listed, page);
  const ids = slice.results.map(({ id }) => id);
  const tasks = await views.tasksByIds(call, ids, 'seen');
  return { ...slice, results: tasks.toReversed() };
}

/** Returns a task. The caller has checked access with requireAccessibleTask. */
export async function getTask(db: OrgDb, taskId: string): Promise<Task> {
  const [task] = await views.tasksByIds(db, [taskId], 'seen');
  if (task === undefined) throw notFound('Task');
  return task;
}
