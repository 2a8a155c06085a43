import {
  accountEventsOfTask,
  groupEventsOfTask,
  type TaskScope,
} from '../../inventory/records/change-events.ts';
import * as inventory from '../../inventory/records/task-operations.ts';
import type { Tx } from '../../kit/database/open.ts';
import { type OrgTx, within } from '../../kit/database/organization.ts';
import type { Actor } from '../../kit/identity/cause.ts';
import type { NewEvent } from '../../log/events/record.ts';
import { hasOpenTask } from './queries/find.ts';
import type { Task, TaskChange } from './queries/views.ts';

export interface Effect {
  events: NewEvent[];
  /** The id of the account in the external system, as it is known now. */
  externalId: string | null;
  /** Licenses to assign in a task that follows. */
  licenses: string[];
}

/**
 * Applies a completed task to the inventory at once (D25, D26). `reportedId` is the external id of a created account, if
 * the connector reported it (D24).
 */
export async function applyEffect(
  tx: OrgTx,
  task: Task,
  reportedId: string | null,
  actor: Actor,
): Promise<Effect> {
  const scope: TaskScope = { actor, account: accountOf(task) };
  const change = await inventory.beginTaskChange(tx, task.id, actor);
  if (task.action === 'create_account') return applyCreation(tx.db, change, task, reportedId, scope);
  const events = await applyChange(tx.db, change, task, scope);
  return { events, externalId: task.external_id, licenses: [] };
}

const accountOf = (task: Task): TaskScope['account'] => ({
  app_id: task.app_id,
  app_name: task.app_name,
  account_id: task.account_id,
  external_id: task.external_id,
  email: task.email,
  username: task.username,
  user_id: task.user_id,
  task_id: task.id,
});

/** Licenses that were requested with a create_account follow in an update_account: they need the external id. */
async function applyCreation(
  tx: Tx,
  change: inventory.Change,
  task: Task,
  reportedId: string | null,
  scope: TaskScope,
): Promise<Effect> {
  const newId = task.external_id === null ? reportedId : null;
  const created = await finishCreation(tx, change, task.account_id, newId, scope);
  const added = task.changes.filter((one) => one.added);
  const groups = added.filter(({ type }) => type === 'group');
  const granted = await grant(tx, change, task.account_id, groups, scope);
  return {
    events: [...created.events, ...granted],
    externalId: created.externalId ?? task.external_id,
    licenses: added.filter(({ type }) => type === 'license').map(({ entitlement_id }) => entitlement_id),
  };
}

/**
 * Marks the account as created. A sync may already have pushed it under the reported id as a separate account: then the
 * two are merged, unless the other one has open tasks.
 */
async function finishCreation(
  tx: Tx,
  change: inventory.Change,
  accountId: string,
  newId: string | null,
  scope: TaskScope,
): Promise<{ events: NewEvent[]; externalId: string | null }> {
  const duplicate =
    newId === null ? undefined : await inventory.lockDuplicate(within(tx, change.orgId), accountId, newId);
  const storedId = duplicate === undefined ? newId : null;
  const [created] = await inventory.markCreated(tx, change, accountId, storedId);
  if (created === undefined) return { events: [], externalId: null };
  if (created.from !== 'NEW') return { events: [], externalId: storedId };
  const events = accountEventsOfTask(scope, [created]);
  if (duplicate === undefined || (await hasOpenTask(within(tx, change.orgId), duplicate)))
    return { events, externalId: storedId };
  const removed = await inventory.mergeDuplicate(tx, change, accountId, duplicate);
  const reason = `It is the account ${accountId}, which a task created.`;
  const merged = removed === undefined ? [] : accountEventsOfTask(scope, [removed], reason);
  return { events: [...events, ...merged], externalId: newId };
}

/** Applies a completed task of any other action. */
async function applyChange(
  tx: Tx,
  change: inventory.Change,
  task: Task,
  scope: TaskScope,
): Promise<NewEvent[]> {
  const id = task.account_id;
  switch (task.action) {
    case 'update_account': {
      const [added, removed] = [true, false].map((is) => task.changes.filter((one) => one.added === is));
      const granted = await grant(tx, change, id, added ?? [], scope);
      return [...granted, ...(await revoke(tx, change, id, removed ?? [], scope))];
    }
    case 'suspend_account':
      return accountEventsOfTask(scope, await inventory.applyStatus(tx, change, [id], 'SUSPENDED'));
    case 'unsuspend_account':
      return accountEventsOfTask(scope, await inventory.applyStatus(tx, change, [id], 'ACTIVE'));
    case 'delete_account': {
      const removed = await inventory.markRemoved(tx, change, [id]);
      if (removed.length === 0) return [];
      const lost = await inventory.revokeAllMemberships(tx, change, id);
      return [
        ...accountEventsOfTask(scope, removed),
        ...groupEventsOfTask(scope, 'account.group.removed', lost),
      ];
    }
    default:
      return [];
  }
}

async function grant(
  tx: Tx,
  change: inventory.Change,
  accountId: string,
  wanted: readonly TaskChange[],
  scope: TaskScope,
): Promise<NewEvent[]> {
  const ids = wanted.map(({ entitlement_id }) => entitlement_id);
  const granted = await inventory.grantMemberships(tx, change, accountId, ids);
  return groupEventsOfTask(scope, 'account.group.added', among(wanted, granted));
}

async function revoke(
  tx: Tx,
  change: inventory.Change,
  accountId: string,
  wanted: readonly TaskChange[],
  scope: TaskScope,
): Promise<NewEvent[]> {
  const ids = wanted.map(({ entitlement_id }) => entitlement_id);
  const revoked = await inventory.revokeMemberships(tx, change, accountId, ids);
  return groupEventsOfTask(scope, 'account.group.removed', among(wanted, revoked));
}

function among(wanted: readonly TaskChange[], changed: readonly { entitlement_id: string }[]) {
  const ids = new Set(changed.map(({ entitlement_id }) => entitlement_id));
  return wanted.filter(({ entitlement_id }) => ids.has(entitlement_id));
}
