import type { TaskScope } from '#inventory/records/accounts/change-events.ts';
import * as inventory from '#inventory/records/accounts/task-operations.ts';
import { beginTaskChange, type Change } from '#inventory/records/history/change.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Actor } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { Task } from './task.ts';

export interface Effect {
  events: NewEvent[];
  /** The id of the account in the external system, as it is known now. */
  externalId: string | null;
  /** Licenses to assign in a task that follows. */
  licenses: string[];
}

/**
 * Applies a completed task to the inventory immediately (D25, D26). `reportedId` is the external id of a created account, if
 * the connector reported it (D24).
 */
export async function applyEffect(
  tx: OrgTx,
  task: Task,
  reportedId: string | null,
  actor: Actor,
): Promise<Effect> {
  const scope: TaskScope = { actor, account: accountOf(task) };
  const change = await beginTaskChange(tx, task.id, actor);
  if (task.action === 'create_account') return applyCreation(tx, change, task, reportedId, scope);
  const events = await applyChange(tx, change, task, scope);
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
  tx: OrgTx,
  change: Change,
  task: Task,
  reportedId: string | null,
  scope: TaskScope,
): Promise<Effect> {
  const created = await inventory.finishCreation(tx, change, scope, reportedId);
  const added = task.changes.filter((one) => one.added);
  const groups = added.filter(({ type }) => type === 'group');
  const granted = await inventory.grantAccess(tx, change, scope, groups);
  return {
    events: [...created.events, ...granted],
    externalId: created.externalId,
    licenses: added.filter(({ type }) => type === 'license').map(({ entitlement_id }) => entitlement_id),
  };
}

/** Applies a completed task of any other action. */
async function applyChange(tx: OrgTx, change: Change, task: Task, scope: TaskScope): Promise<NewEvent[]> {
  switch (task.action) {
    case 'update_account': {
      const [added, removed] = [true, false].map((is) => task.changes.filter((one) => one.added === is));
      const granted = await inventory.grantAccess(tx, change, scope, added ?? []);
      return [...granted, ...(await inventory.revokeAccess(tx, change, scope, removed ?? []))];
    }
    case 'suspend_account':
      return inventory.setStatus(tx, change, scope, 'SUSPENDED');
    case 'unsuspend_account':
      return inventory.setStatus(tx, change, scope, 'ACTIVE');
    case 'delete_account':
      return inventory.removeAccount(tx, change, scope);
    default:
      return [];
  }
}
