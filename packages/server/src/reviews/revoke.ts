import type { NewEvent } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Tx } from '../platform/database/open.ts';
import { cancelTasksOf, createTasks, type NewTask } from '../provisioning/create.ts';
import type { Precondition } from '../provisioning/task.ts';

import type { LockedCycle, LockedItem, Revocable } from './queries/decide.ts';
import * as queries from './queries/decide.ts';

const ONE_HOUR = 3600 * 1000;

/**
 * Makes the tasks that carry out these revocations, scheduled for the end of their cooling-off: of an account all that
 * was decided in one go is one update_account. Access that is gone already makes none; what goes before a task's turn
 * comes cancels it then (D31). The caller holds the items' apps, and records the events, last.
 */
export async function revokeAccess(
  tx: Tx,
  orgId: string,
  cycle: LockedCycle,
  itemIds: string[],
  cause: Cause,
): Promise<NewEvent[]> {
  if (itemIds.length === 0) return [];
  const items = await queries.revocable(tx, orgId, cycle, itemIds);
  const batches = [
    ...Map.groupBy(items, ({ account_id, decided_at }) => `${account_id} ${decided_at.getTime()}`).values(),
  ].flatMap((together) => splitByTask(together, cycle));
  const { tasks, events } = await createTasks(
    tx,
    orgId,
    batches.map((batch) => taskOf(batch, cycle)),
    cause,
  );
  const pairs = batches.flatMap((batch, i) =>
    batch.map(({ id }) => ({ item: id, task: tasks[i]?.id as string })),
  );
  if (pairs.length > 0) await queries.attachTasks(tx, orgId, cycle.id, pairs);
  return events;
}

/** Deleting the account takes everything with it; suspending it leaves its groups and licenses to be taken. */
function splitByTask(items: Revocable[], { settings }: LockedCycle): Revocable[][] {
  const account = items.filter(({ kind }) => kind === 'account');
  if (account.length > 0 && settings.revoke_account_by === 'delete') {
    return [[...account, ...items.filter(({ kind }) => kind !== 'account')]];
  }
  const entitlements = items.filter(({ kind }) => kind !== 'account');
  return [entitlements, account].filter((batch) => batch.length > 0);
}

function taskOf(batch: Revocable[], { settings }: LockedCycle): NewTask {
  const first = batch[0] as Revocable;
  const comments = [...new Set(batch.flatMap(({ comment }) => comment ?? []))];
  const why = first.decided_by === null ? ['Nobody answered in time.'] : comments;
  const common = {
    appId: first.app_id,
    accountId: first.account_id,
    executeAfter: new Date(first.decided_at.getTime() + settings.cooling_off_hours * ONE_HOUR),
    taskType: 'ACCESS_REVIEW' as const,
    createdBy: first.decided_by,
    reason: [`Access review "${settings.name}".`, ...why].join(' '),
    source: { type: 'review_item' as const, id: first.id },
  };
  if (first.kind !== 'account') {
    return {
      ...common,
      action: 'update_account',
      remove: batch.flatMap(({ entitlement_id }) => entitlement_id ?? []),
      preconditions: [{ kind: 'change_needed' }, { kind: 'not_regranted' }],
    };
  }
  const live: Precondition = { kind: 'account_status', in: ['ACTIVE', 'INVITED'] };
  return settings.revoke_account_by === 'suspend'
    ? { ...common, action: 'suspend_account', preconditions: [live] }
    : { ...common, action: 'delete_account' };
}

/**
 * Cancels the tasks of these items, as far as they are still open. Answers the other items that the cancelled tasks
 * were about: whoever still wants those revoked gives them new ones. What had ended otherwise, by an administrator
 * say, stays as it is. The caller holds the items' apps.
 */
export async function withdraw(
  tx: Tx,
  orgId: string,
  cycle: LockedCycle,
  items: LockedItem[],
  cause: Cause,
): Promise<{ others: string[]; events: NewEvent[] }> {
  const sourceOf = new Map<string, string>();
  for (const { task_id, task_source } of items) {
    if (task_id !== null && task_source !== null) sourceOf.set(task_id, task_source);
  }
  const events: NewEvent[] = [];
  const cancelled: string[] = [];
  for (const [task, id] of sourceOf) {
    const source = { type: 'review_item' as const, id };
    const reason = 'The decision of the access review was changed.';
    const told = await cancelTasksOf(tx, orgId, source, cause, reason, new Set([task]));
    if (told.length > 0) cancelled.push(task);
    events.push(...told);
  }
  const changed = new Set(items.map(({ id }) => id));
  const detached = cancelled.length === 0 ? [] : await queries.detachTasks(tx, orgId, cycle.id, cancelled);
  return { others: detached.filter((id) => !changed.has(id)), events };
}
