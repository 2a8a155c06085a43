import { accessibleApp } from '../apps/apps.ts';
import { recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, invalid } from '../platform/errors.ts';
import { instantForSql } from '../platform/instants.ts';
import { cancelTask } from './cancel.ts';
import { createTask, type Task } from './create.ts';
import { type EntitlementRefs, entitlementIds } from './entitlements.ts';
import type { Action } from './task.ts';

/** A task that an administrator asks for (protocol 12). */
export interface ManualRequest {
  app: string;
  action: Action;
  user: string | null;
  account: string | null;
  resourceType: string | null;
  memberships: EntitlementRefs;
  assignments: EntitlementRefs;
  changes: Readonly<Record<string, { added?: readonly string[] | null; removed?: readonly string[] | null }>>;
  /** ISO 8601; null: now. */
  executeAfter: string | null;
  reason: string | null;
}

/**
 * Creates a task for an administrator. 404 for an unknown app, user or account, 409 if there is nothing to do, 422 for an
 * unknown slug or external id.
 */
export async function createManualTask(
  db: Db,
  principal: Principal,
  request: ManualRequest,
  cause: Cause,
): Promise<Task> {
  const { orgId } = principal;
  const app = await accessibleApp(db, principal, request.app);
  return transaction(db, async (tx) => {
    const common = {
      appId: app.id,
      ...(await entitlementsOf(tx, orgId, app.id, request)),
      executeAfter: request.executeAfter === null ? null : new Date(instantForSql(request.executeAfter)),
      taskType: 'USER_ACTION' as const,
      createdBy: principal.userId,
      reason: request.reason,
    };
    const { task, events } = await createTask(tx, orgId, { ...common, ...subjectOf(request) }, cause);
    // A deletion that preempts the account's creation is cancelled too, but has done its work.
    const didNothing = task.status === 'cancelled' && !events.some(({ type }) => type === 'task.preempted');
    if (didNothing) throw conflict(task.ended_reason ?? 'The task would change nothing.');
    await recordEvents(tx, orgId, events);
    return task;
  });
}

function subjectOf({ action, user, account, resourceType }: ManualRequest) {
  if (action === 'create_account') {
    if (user === null) throw invalid('Field required (user)');
    return { action, userId: user, resourceType };
  }
  if (account === null) throw invalid('Field required (account)');
  return { action, accountId: account };
}

/** Returns the entitlements to add and remove. 400 for fields that do not belong to the action. */
async function entitlementsOf(tx: Tx, orgId: string, appId: string, request: ManualRequest) {
  const { action, memberships, assignments, changes } = request;
  const [grants, edits] = [{ ...memberships, ...assignments }, Object.keys(changes)];
  if (action !== 'create_account' && Object.keys(grants).length > 0)
    throw invalid('memberships and assignments are only allowed for create_account. Use changes instead.');
  if (action !== 'update_account' && edits.length > 0)
    throw invalid('changes is only allowed for update_account.');
  const add = [
    ...(await entitlementIds(tx, orgId, appId, memberships, { type: 'group' })),
    ...(await entitlementIds(tx, orgId, appId, assignments, { type: 'license' })),
    ...(await entitlementIds(tx, orgId, appId, pick(changes, 'added'))),
  ];
  const remove = await entitlementIds(tx, orgId, appId, pick(changes, 'removed'), { removing: true });
  if (action === 'update_account' && add.length + remove.length === 0)
    throw invalid('update_account requires changes with at least one group or license to add or remove.');
  if (add.some((id) => remove.includes(id)))
    throw invalid('A group or license cannot be both added and removed.');
  return { add, remove };
}

const pick = (changes: ManualRequest['changes'], which: 'added' | 'removed'): EntitlementRefs =>
  Object.fromEntries(Object.entries(changes).map(([slug, change]) => [slug, change[which] ?? []]));

/** Cancels a task for an administrator. 409 if it has ended. */
export async function cancelManually(
  db: Db,
  orgId: string,
  taskId: string,
  reason: string | null,
  cause: Cause,
): Promise<void> {
  await transaction(db, async (tx) => {
    const events = await cancelTask(
      tx,
      orgId,
      taskId,
      cause,
      reason ?? 'An administrator cancelled the task.',
    );
    await recordEvents(tx, orgId, events);
  });
}
