import { type NewEvent, recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { taskEvent } from './events.ts';
import { promoteDue } from './promote.ts';
import { appOfTask, placeOfTask } from './queries/find.ts';
import { markDispatched } from './queries/update.ts';
import type { Task, TaskFilter } from './queries/views.ts';
import * as views from './queries/views.ts';
import { alreadyIn, isTerminal, type TaskStatus } from './task.ts';

/**
 * Lists an app's tasks for its connector, oldest first (protocol 4.9, D10). Pending tasks that an API key lists count as
 * dispatched from now on; each gets one task.dispatched event, however many connectors list it (D28). A signed-in person
 * only looks: another site can make their browser send a GET. `withPending` is false if people carry out the app's tasks.
 */
export async function listForConnector(
  db: Db,
  orgId: string,
  appId: string,
  { status, withPending }: { status: TaskStatus | null; withPending: boolean },
  page: Page,
  cause: Cause,
  keyId: string | null,
): Promise<Slice<Task>> {
  await promoteDue(db, { orgId, apps: [appId] });
  const wanted = (status === null ? LISTED : [status]).filter((one) => withPending || one !== 'pending');
  const { count, results } = await views.listTasksOfApp(db, orgId, appId, wanted, page);
  const undispatched = results.filter((task) => task.undispatched).map(({ id }) => id);
  if (keyId !== null && undispatched.length > 0) await dispatch(db, orgId, undispatched, cause, keyId);
  const tasks = await views.tasksByIds(
    db,
    orgId,
    results.map(({ id }) => id),
  );
  // Tasks that were preempted or reported between the two statements no longer match.
  return { count, results: tasks.filter((task) => wanted.includes(task.status)) };
}

const LISTED: readonly TaskStatus[] = ['scheduled', 'pending', 'completed', 'failed'];

async function dispatch(db: Db, orgId: string, ids: string[], cause: Cause, keyId: string | null) {
  await transaction(db, async (tx) => {
    const { events } = await dispatchTasks(tx, orgId, ids, cause, keyId);
    await recordEvents(tx, orgId, events);
  });
}

/** Locks pending tasks and marks them as dispatched. Returns those that are pending, and the events to record. */
export async function dispatchTasks(
  tx: Tx,
  orgId: string,
  ids: readonly string[],
  cause: Cause,
  keyId: string | null,
): Promise<{ pending: Task[]; events: NewEvent[] }> {
  const marked = new Set(await markDispatched(tx, orgId, ids));
  const pending = (await views.tasksByIds(tx, orgId, [...ids])).filter(({ status }) => status === 'pending');
  const events = pending
    .filter(({ id }) => marked.has(id))
    .map((task) => taskEvent(task, cause, 'task.dispatched', { api_key_id: keyId }));
  return { pending, events };
}

/** Returns a task of an app (D14). 404 for a task of another app. */
export async function taskOfApp(db: Db, orgId: string, appId: string, taskId: string): Promise<Task> {
  await promoteDue(db, { orgId, apps: [appId] });
  const [task] = isUuid(taskId) ? await views.tasksByIds(db, orgId, [taskId]) : [];
  if (task?.app_id !== appId) throw notFound('Task');
  return task;
}

/** Throws 404 unless the task belongs to the app, and 409 if it has ended, whatever the report says (D29). */
export async function requireReportable(db: Db, orgId: string, appId: string, taskId: string): Promise<void> {
  const task = isUuid(taskId) ? await placeOfTask(db, orgId, taskId) : undefined;
  if (task?.app_id !== appId) throw notFound('Task');
  if (isTerminal(task.status)) throw conflict(alreadyIn(task.status));
}

/**
 * Throws 404 for an unknown task; 403 for an app that the key may not access (D7), and for a member who asks for a task
 * of another person's account.
 */
export async function requireAccessibleTask(db: Db, principal: Principal, taskId: string): Promise<void> {
  const appId = isUuid(taskId) ? await appOfTask(db, principal.orgId, taskId) : undefined;
  if (appId === undefined) throw notFound('Task');
  if (!mayTouchApp(principal, appId))
    throw forbidden('This key does not have access to the app of this task.');
  if (principal.role !== 'member') return;
  const [task] = await views.tasksByIds(db, principal.orgId, [taskId]);
  if (task?.user_id !== principal.userId) throw notYours();
}

const notYours = () => forbidden('A member can only see the tasks of their own accounts.');

/**
 * Lists tasks (protocol 4.15). A key that is limited to some apps sees the tasks of these; asking for another app is 403
 * (D7). Members see the tasks of their own accounts.
 */
export async function listTasks(
  db: Db,
  principal: Principal,
  { app, ...filter }: Omit<TaskFilter, 'apps'> & { app: string | null },
  page: Page,
): Promise<Slice<Task>> {
  if (app !== null && !mayTouchApp(principal, app))
    throw forbidden('This key does not have access to this app.');
  const allowed = principal.apps === 'all' ? null : [...principal.apps];
  const apps = app === null ? allowed : [app];
  const isMember = principal.role === 'member';
  if (isMember && filter.user !== null && filter.user.toLowerCase() !== principal.userId) throw notYours();
  const user = isMember ? principal.userId : filter.user;
  await promoteDue(db, { orgId: principal.orgId, apps });
  const slice = await views.listTasks(db, principal.orgId, { ...filter, user, apps }, page);
  const tasks = await views.tasksByIds(
    db,
    principal.orgId,
    slice.results.map(({ id }) => id),
  );
  return { ...slice, results: tasks.toReversed() };
}

/** Returns a task. The caller has checked access with requireAccessibleTask. */
export async function getTask(db: Db, orgId: string, taskId: string): Promise<Task> {
  const appId = await appOfTask(db, orgId, taskId);
  await promoteDue(db, { orgId, apps: appId === undefined ? [] : [appId] });
  const [task] = await views.tasksByIds(db, orgId, [taskId]);
  if (task === undefined) throw notFound('Task');
  return task;
}
