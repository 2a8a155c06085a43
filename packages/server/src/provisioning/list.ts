import { recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { taskEvent } from './events.ts';
import { promoteDue } from './promote.ts';
import type { Task, TaskFilter } from './queries/views.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import type { TaskStatus } from './task.ts';

/**
 * Contract 4.9, D10: a page of an app's tasks for its connector, oldest first. Whatever on it is pending counts as
 * dispatched from here on, told once whoever lists it (D28).
 */
export async function listForConnector(
  db: Db,
  orgId: string,
  appId: string,
  status: TaskStatus | null,
  page: Page,
  cause: Cause,
  keyId: string | null,
): Promise<Slice<Task>> {
  await promoteDue(db, { orgId, apps: [appId] });
  const { count, results } = await views.bridgePage(db, orgId, appId, status, page);
  const undispatched = results.filter((task) => task.undispatched).map(({ id }) => id);
  if (undispatched.length > 0) await dispatch(db, orgId, undispatched, cause, keyId);
  const tasks = await views.tasksByIds(
    db,
    orgId,
    results.map(({ id }) => id),
  );
  // One that was preempted or reported between the two statements is not what was asked for any more.
  return { count, results: tasks.filter((task) => isListed(task, status)) };
}

const isListed = (task: Task, status: TaskStatus | null) =>
  status === null ? task.status !== 'cancelled' && task.status !== 'preempted' : task.status === status;

async function dispatch(db: Db, orgId: string, ids: string[], cause: Cause, keyId: string | null) {
  await transaction(db, async (tx) => {
    const marked = await queries.markDispatched(tx, orgId, ids);
    const events = (await views.tasksByIds(tx, orgId, marked)).map((task) =>
      taskEvent(task, cause, 'task.dispatched', { api_key_id: keyId }),
    );
    await recordEvents(tx, orgId, events);
  });
}

/** D14. 404 for a task that is not of this app. */
export async function taskOfApp(db: Db, orgId: string, appId: string, taskId: string): Promise<Task> {
  await promoteDue(db, { orgId, apps: [appId] });
  const [task] = isUuid(taskId) ? await views.tasksByIds(db, orgId, [taskId]) : [];
  if (task?.app_id !== appId) throw notFound('Task');
  return task;
}

/** 404 for a task that this app does not have. */
export async function requireTaskOfApp(db: Db, orgId: string, appId: string, taskId: string): Promise<void> {
  const owner = isUuid(taskId) ? await queries.appOfTask(db, orgId, taskId) : undefined;
  if (owner !== appId) throw notFound('Task');
}

/**
 * 404 for a task that is not in the organization, 403 for one of an app that the key may not touch (D7), and for a
 * member who asks for one of somebody else's account (Roles).
 */
export async function requireAccessibleTask(db: Db, principal: Principal, taskId: string): Promise<void> {
  const appId = isUuid(taskId) ? await queries.appOfTask(db, principal.orgId, taskId) : undefined;
  if (appId === undefined) throw notFound('Task');
  if (!mayTouchApp(principal, appId)) throw forbidden('This key may not touch the app of this task.');
  if (principal.role !== 'member') return;
  const [task] = await views.tasksByIds(db, principal.orgId, [taskId]);
  if (task?.user_id !== principal.userId) throw notYours();
}

const notYours = () => forbidden('A member sees the tasks of their own accounts only.');

/**
 * Contract 4.15. A listed key sees the tasks of its apps; asking for another app is 403 (D7). A member sees those of
 * their own accounts (Roles).
 */
export async function listTasks(
  db: Db,
  principal: Principal,
  { app, ...filter }: Omit<TaskFilter, 'apps'> & { app: string | null },
  page: Page,
): Promise<Slice<Task>> {
  if (app !== null && !mayTouchApp(principal, app)) throw forbidden('This key may not touch this app.');
  const mine = principal.apps === 'all' ? null : [...principal.apps];
  const apps = app === null ? mine : [app];
  const isMember = principal.role === 'member';
  if (isMember && filter.user !== null && filter.user.toLowerCase() !== principal.userId) throw notYours();
  const user = isMember ? principal.userId : filter.user;
  await promoteDue(db, { orgId: principal.orgId, apps });
  const slice = await views.readPage(db, principal.orgId, { ...filter, user, apps }, page);
  const tasks = await views.tasksByIds(
    db,
    principal.orgId,
    slice.results.map(({ id }) => id),
  );
  return { ...slice, results: tasks.toReversed() };
}

/** A task as people read it; requireAccessibleTask has let them. */
export async function getTask(db: Db, orgId: string, taskId: string): Promise<Task> {
  const appId = await queries.appOfTask(db, orgId, taskId);
  await promoteDue(db, { orgId, apps: appId === undefined ? [] : [appId] });
  const [task] = await views.tasksByIds(db, orgId, [taskId]);
  if (task === undefined) throw notFound('Task');
  return task;
}
