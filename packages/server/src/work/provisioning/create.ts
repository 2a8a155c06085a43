import { holdApps } from '#inventory/apps/facts.ts';
import type { OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { NewGrant } from '#reasons/grants/grant.ts';
import { beginGrants } from '#reasons/grants/grants.ts';
import { accountsFor } from './accounts.ts';
import { creatorsOf } from './creators.ts';
import { planEnds } from './ends.ts';
import { createdEvent } from './events.ts';
import { beginGiven } from './given.ts';
import { insertChanges, insertTasks, type TaskRow } from './queries/insert.ts';
import { advanceQueue } from './queue.ts';
import { reasonOf } from './reason-sentences.ts';
import { taskRefusals } from './sentences.ts';
import type { Action, Precondition, Task, TaskSource, TaskType } from './task.ts';

export { lockAccountOf, lockMainAccount } from './accounts.ts';
export { cancelTasks, cancelTasksOf } from './cancel.ts';
export { type EntitlementRefs, entitlementIds } from './entitlements.ts';
export { accountsTouchedSince, tasksOfTickets } from './find.ts';

interface Wanted {
  appId: string;
  /** Ids of groups and licenses of the app (see entitlementIds). */
  add?: readonly string[];
  remove?: readonly string[];
  /** Null or a past time: now. */
  executeAfter?: Date | null;
  taskType: TaskType;
  /** The person who decided. Null, or a person who was deleted: an owner is responsible for the task. */
  createdBy: string | null;
  reason?: Sentence | string | null;
  source?: TaskSource | null;
  /** The name of the decision. */
  label?: string;
  /** When the access that it gives ends: all of it, or each entitlement, and the account (null), at a time of its own. Null or missing: never. */
  until?: Date | null | ReadonlyMap<string | null, Date>;
  /** Whether it is about the person leaving: what it suspends, or the only suspensions that it ends (D73). */
  leaving?: boolean;
  /** Checked when the task's turn comes (D31). */
  preconditions?: readonly Precondition[];
  /** The administrator who has confirmed the task. It runs even if it exceeds the budget of its app (D46). */
  releasedBy?: string | null;
}

/** A task to create: for a person who should get an account, or for an existing account. */
export type NewTask =
  | (Wanted & {
      action: 'create_account';
      userId: string;
      /** The slug of the account type; by default the first that the app registered. */
      resourceType?: string | null;
      /** The id that a new account gets, if it is free (D47). */
      reservedAccountId?: string | null;
    })
  | (Wanted & { action: Exclude<Action, 'create_account'>; accountId: string });

/**
 * Creates tasks in this order (D25, D28). Each is pending afterwards if its turn has come, and scheduled otherwise. The
 * caller records the events, last in `tx`: recordEvents(tx, [...own, ...events]). `held` are decisions to give what accounts already have:
 * they begin their grants without a task (D73). 404 for an unknown app, user
 * or account; 409 if the user already has a live account; 422 for an entitlement of another app.
 */
export async function createTasks(
  tx: OrgTx,
  wanted: readonly NewTask[],
  cause: Cause,
  held: readonly NewGrant[] = [],
): Promise<{ tasks: Task[]; events: NewEvent[] }> {
  if (wanted.length + held.length === 0) return { tasks: [], events: [] };
  const about = [
    ...wanted,
    ...held.map(({ app_id: appId, account_id: accountId }) => ({ action: 'none', appId, accountId })),
  ];
  const apps = await holdApps(tx, [...new Set(about.map(({ appId }) => appId))]);
  if (about.some(({ appId }) => !apps.has(appId))) throw notFound('App');
  const accountIds = (await accountsFor(tx, about)).slice(0, wanted.length);
  const creators = await creatorsOf(
    tx,
    wanted.map(({ createdBy }) => createdBy),
  );
  const ids = await insertTasks(
    tx,
    wanted.map((task, i) => rowOf(task, accountIds[i] as string, creators[i] as string)),
  );
  await insertChangesOf(tx, wanted, ids);
  const until = new Map(wanted.map((task, i) => [ids[i] as string, task.until ?? null]));
  await beginGrants(tx, held);
  const begun = await beginGiven(tx, ids, ({ task_id, entitlement_id }) => {
    const end = until.get(task_id) ?? null;
    return end === null || end instanceof Date ? end : (end.get(entitlement_id) ?? null);
  });
  const given = [...begun, ...held.map(({ account_id }) => account_id)];
  const ends = given.length === 0 ? { events: [] } : await planEnds(tx, given, cause);
  const { tasks, events } = await advanceQueue(tx, accountIds, cause, ids);
  return {
    tasks,
    events: [...tasks.map((task) => createdEvent(task, cause)), ...ends.events, ...events],
  };
}

const rowOf = (task: NewTask, accountId: string, createdBy: string): TaskRow => ({
  app_id: task.appId,
  account_id: accountId,
  action: task.action,
  execute_after: task.executeAfter?.toISOString() ?? null,
  task_type: task.taskType,
  source_type: task.source?.type ?? null,
  source_id: task.source?.id ?? null,
  source_label: task.label ?? '',
  created_by: createdBy,
  reason: task.reason == null ? null : reasonOf(task.reason),
  leaving: task.leaving ?? false,
  gives:
    task.action === 'create_account' || task.action === 'unsuspend_account' || (task.add?.length ?? 0) > 0,
  preconditions: [...(task.preconditions ?? [])],
  released_by: task.releasedBy ?? null,
});

async function insertChangesOf(tx: OrgTx, wanted: readonly NewTask[], ids: readonly string[]) {
  const rows = wanted.flatMap(({ add = [], remove = [] }, i) => {
    const task_id = ids[i] as string;
    const added = new Set(add);
    const removed = new Set(remove.filter((id) => !added.has(id)));
    return [
      ...[...added].map((entitlement_id) => ({ task_id, entitlement_id, added: true })),
      ...[...removed].map((entitlement_id) => ({ task_id, entitlement_id, added: false })),
    ];
  });
  if ((await insertChanges(tx, rows)) !== rows.length) throw taskRefusals.entitlement_of_another_app();
}
