import type { NewEvent } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { conflict, notFound, unprocessable } from '../platform/errors.ts';
import { taskEvent } from './events.ts';
import type { Task } from './queries/views.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import {
  type Action,
  alreadyIn,
  isTerminal,
  type Precondition,
  type TaskSource,
  type TaskType,
} from './task.ts';
import { takeTurns } from './turn.ts';

export type { Grant, Task } from './queries/views.ts';
export { tasksByIds } from './queries/views.ts';

interface Wanted {
  appId: string;
  /** Ids of entitlements (groups and licenses) of the app: see entitlementIds. */
  add?: readonly string[];
  remove?: readonly string[];
  /** Null or past: now. */
  executeAfter?: Date | null;
  taskType: TaskType;
  /** The person; null for a policy or the service. */
  createdBy: string | null;
  reason?: string | null;
  source?: TaskSource | null;
  /** Re-checked when its turn comes (D31). */
  preconditions?: readonly Precondition[];
}

/** A decision that becomes a task: about a person who shall have an account, or about an account. */
export type NewTask =
  | (Wanted & {
      action: 'create_account';
      userId: string;
      /** The slug of the account type; by default the first that the app registered. */
      resourceType?: string | null;
    })
  | (Wanted & { action: Exclude<Action, 'create_account'>; accountId: string });

/**
 * Creates tasks (governance.md; D25, D28), in this order: each is pending when this returns if its turn has come, and
 * scheduled otherwise. The events are the caller's to record, last in `tx`: recordEvents(tx, orgId, [...own,
 * ...events]). 404 for an app, user or account that is not there; 409 where the user has a live account; 422 for
 * an entitlement of another app.
 */
export async function createTasks(
  tx: Tx,
  orgId: string,
  wanted: readonly NewTask[],
  cause: Cause,
): Promise<{ tasks: Task[]; events: NewEvent[] }> {
  if (wanted.length === 0) return { tasks: [], events: [] };
  const apps = await queries.holdApps(tx, orgId, [...new Set(wanted.map(({ appId }) => appId))]);
  if (wanted.some(({ appId }) => !apps.has(appId))) throw notFound('App');
  const accountIds: string[] = [];
  for (const task of wanted) {
    accountIds.push('accountId' in task ? task.accountId : await accountFor(tx, orgId, task));
  }
  await requireAccounts(tx, orgId, wanted, accountIds);

  const ids = await queries.insertTasks(
    tx,
    orgId,
    wanted.map((task, i) => rowOf(task, accountIds[i] as string)),
  );
  await insertChanges(tx, orgId, wanted, ids);
  const turns = await takeTurns(tx, orgId, [...new Set(accountIds)], cause);
  const tasks = await views.tasksByIds(tx, orgId, ids);
  const created = tasks.map((task) =>
    taskEvent(task, cause, 'task.created', { execute_after: task.execute_after, reason: task.reason }),
  );
  return { tasks, events: [...created, ...turns] };
}

/** One of createTasks. */
export async function createTask(
  tx: Tx,
  orgId: string,
  wanted: NewTask,
  cause: Cause,
): Promise<{ task: Task; events: NewEvent[] }> {
  const { tasks, events } = await createTasks(tx, orgId, [wanted], cause);
  return { task: tasks[0] as Task, events };
}

/** The account that a create_account is about: a new one, or one that never came to be or is gone (D25). */
async function accountFor(
  tx: Tx,
  orgId: string,
  { appId, userId, resourceType }: Extract<NewTask, { action: 'create_account' }>,
): Promise<string> {
  await queries.lockPerson(tx, orgId, appId, userId);
  const person = await queries.findPerson(tx, orgId, userId);
  if (person === undefined) throw notFound('User');
  const [known] = await queries.accountsOfPerson(tx, orgId, appId, person);
  if (known !== undefined && known.status !== 'INACTIVE')
    throw conflict('The user already has a live account in this app.');
  if (known !== undefined) {
    await queries.lockAccounts(tx, orgId, [known.id]);
    await queries.reviveAccount(tx, orgId, known.id, person);
    return known.id;
  }
  const type = await queries.accountType(tx, orgId, appId, resourceType ?? null);
  if (type === undefined)
    throw unprocessable(
      resourceType == null
        ? 'The app has no resource type of type account.'
        : `Unknown account resource type '${resourceType}'.`,
    );
  return queries.insertAccount(tx, orgId, appId, type, person);
}

/**
 * The account that a person has in an app, alive, or undefined. Until `tx` ends nobody else makes one, or changes what
 * it has. 404 for an unknown user.
 */
export async function lockAccountOf(
  tx: Tx,
  orgId: string,
  appId: string,
  userId: string,
): Promise<string | undefined> {
  await queries.holdApps(tx, orgId, [appId]);
  await queries.lockPerson(tx, orgId, appId, userId);
  const person = await queries.findPerson(tx, orgId, userId);
  if (person === undefined) throw notFound('User');
  const [known] = await queries.accountsOfPerson(tx, orgId, appId, person);
  if (known === undefined || known.status === 'INACTIVE') return undefined;
  await queries.lockAccounts(tx, orgId, [known.id]);
  return known.id;
}

async function requireAccounts(tx: Tx, orgId: string, wanted: readonly NewTask[], accountIds: string[]) {
  const accounts = await queries.lockAccounts(tx, orgId, [...new Set(accountIds)]);
  const appOf = new Map(accounts.map(({ id, app_id }) => [id, app_id]));
  if (wanted.some(({ appId }, i) => appOf.get(accountIds[i] as string) !== appId)) throw notFound('Account');
}

const rowOf = (task: NewTask, accountId: string): queries.TaskRow => ({
  app_id: task.appId,
  account_id: accountId,
  action: task.action,
  execute_after: task.executeAfter?.toISOString() ?? null,
  task_type: task.taskType,
  source_type: task.source?.type ?? null,
  source_id: task.source?.id ?? null,
  created_by: task.createdBy,
  reason: task.reason ?? null,
  preconditions: [...(task.preconditions ?? [])],
  retry_of: null,
  attempt: 1,
});

async function insertChanges(tx: Tx, orgId: string, wanted: readonly NewTask[], ids: string[]) {
  const rows = wanted.flatMap(({ add = [], remove = [] }, i) => {
    const task_id = ids[i] as string;
    const added = new Set(add);
    return [
      ...[...added].map((entitlement_id) => ({ task_id, entitlement_id, added: true })),
      ...[...new Set(remove)]
        .filter((id) => !added.has(id))
        .map((entitlement_id) => ({ task_id, entitlement_id, added: false })),
    ];
  });
  if ((await queries.insertChanges(tx, orgId, rows)) !== rows.length)
    throw unprocessable('A group or license does not belong to the app.');
}

/** The tasks that a decision has made so far, oldest first. */
export const tasksOf = (db: Db, orgId: string, { type, id }: TaskSource): Promise<Task[]> =>
  views.tasksBySource(db, orgId, type, [id]);

/** The same of several tickets at once. */
export const tasksOfTickets = (db: Db, orgId: string, ids: string[]): Promise<Task[]> =>
  views.tasksBySource(db, orgId, 'ticket', ids);

/** The tasks of an account that are still to be done, oldest first. */
export const openTasks = (db: Db, orgId: string, accountId: string): Promise<Task[]> =>
  views.openTasksOfAccount(db, orgId, accountId);

/**
 * How each account came by what it has: the latest completed task that created it (`entitlement_id` null) or gave it a
 * group or license that it still holds. What no task gave was there already, or came with a sync.
 */
export const grantsOf = (db: Db, orgId: string, accountIds: string[]): Promise<views.Grant[]> =>
  views.latestGrants(db, orgId, accountIds);

/** Slug to external ids, as bodies name groups and licenses. */
export type EntitlementRefs = Readonly<Record<string, readonly string[]>>;

/**
 * Our ids of what a body names. 422 for an unknown slug or id (governance.md "Manual actions"), and, unless it is to be
 * taken away, for one that is not active any more. `type`: groups or licenses only.
 */
export async function entitlementIds(
  db: Db,
  orgId: string,
  appId: string,
  refs: EntitlementRefs,
  { type, removing = false }: { type?: 'group' | 'license'; removing?: boolean } = {},
): Promise<string[]> {
  const wanted = Object.entries(refs).flatMap(([slug, ids]) => ids.map((id) => ({ slug, id })));
  if (wanted.length === 0) return [];
  const found = await queries.findEntitlements(db, orgId, appId, wanted);
  const known = new Map(found.map((entry) => [JSON.stringify([entry.slug, entry.id]), entry]));
  const ids = wanted.map(({ slug, id }) => {
    const entry = known.get(JSON.stringify([slug, id]));
    const fits = entry !== undefined && (type === undefined || entry.type === type);
    if (!fits || !(entry.active || removing))
      throw unprocessable(`Unknown ${type ?? 'group or license'} '${id}' of '${slug}'.`);
    return entry.entitlement_id;
  });
  return [...new Set(ids)];
}

/** Cancels an open task. 404 if there is none, 409 once it is terminal. The events are the caller's to record, last. */
export async function cancelTask(
  tx: Tx,
  orgId: string,
  taskId: string,
  cause: Cause,
  reason: string,
): Promise<NewEvent[]> {
  const task = await queries.lockTask(tx, orgId, taskId);
  if (task === undefined) throw notFound('Task');
  if (isTerminal(task.status)) throw conflict(alreadyIn(task.status));
  return endOpen(tx, orgId, [{ id: taskId, account_id: task.account_id }], cause, reason);
}

/** Cancels what is still open of a decision's tasks (`source`), or of `only` these among them. */
export async function cancelTasksOf(
  tx: Tx,
  orgId: string,
  source: TaskSource,
  cause: Cause,
  reason: string,
  only?: ReadonlySet<string>,
): Promise<NewEvent[]> {
  const places = (await queries.openOfSource(tx, orgId, source.type, source.id)).filter(
    ({ id }) => only?.has(id) ?? true,
  );
  if (places.length === 0) return [];
  await queries.holdApps(tx, orgId, [...new Set(places.map(({ app_id }) => app_id))]);
  const accounts = [...new Set(places.map(({ account_id }) => account_id))];
  await queries.lockAccounts(tx, orgId, accounts);
  const open = new Set((await queries.lockOpenTasks(tx, orgId, accounts)).map(({ id }) => id));
  return endOpen(
    tx,
    orgId,
    places.filter(({ id }) => open.has(id)),
    cause,
    reason,
  );
}

/** Cancels open tasks whose accounts the caller has locked. */
export async function endOpen(
  tx: Tx,
  orgId: string,
  tasks: { id: string; account_id: string }[],
  cause: Cause,
  reason: string,
): Promise<NewEvent[]> {
  if (tasks.length === 0) return [];
  const ids = tasks.map(({ id }) => id);
  const accounts = [...new Set(tasks.map(({ account_id }) => account_id))];
  await queries.endTasks(
    tx,
    orgId,
    ids.map((id) => ({ id, status: 'cancelled', reason, preempted_by: null })),
  );
  await queries.buryUnborn(tx, orgId, accounts);
  const told = (await views.tasksByIds(tx, orgId, ids)).map((task) =>
    taskEvent(task, cause, 'task.cancelled', { reason }),
  );
  return [...told, ...(await takeTurns(tx, orgId, accounts, cause))];
}
