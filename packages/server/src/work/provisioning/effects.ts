import {
  accountEventsOfTask,
  groupEventsOfTask,
  type TaskScope,
} from '../../inventory/records/change-events.ts';
import * as inventory from '../../inventory/records/task-operations.ts';
import type { Tx } from '../../kit/database/open.ts';
import type { OrgTx } from '../../kit/database/organization.ts';
import type { Actor } from '../../kit/identity/cause.ts';
import type { NewEvent } from '../../log/events/record.ts';
import type { Task, TaskChange } from './queries/views.ts';

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
  const change = await inventory.beginTaskChange(tx, task.id, actor);
  if (task.action === 'create_account') return applyCreation(tx, change, task, reportedId, scope);
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
  tx: OrgTx,
  change: inventory.Change,
  task: Task,
  reportedId: string | null,
  scope: TaskScope,
): Promise<Effect> {
  const created = await finishCreation(tx, change, task, reportedId, scope);
  const added = task.changes.filter((one) => one.added);
  const groups = added.filter(({ type }) => type === 'group');
  const granted = await grant(tx.db, change, task.account_id, groups, scope);
  return {
    events: [...created.events, ...granted],
    externalId: created.externalId,
    licenses: added.filter(({ type }) => type === 'license').map(({ entitlement_id }) => entitlement_id),
  };
}

/** Marks the account as created, and gives it the record that the connector reported (D24). */
async function finishCreation(
  tx: OrgTx,
  change: inventory.Change,
  { id, account_id, external_id }: Task,
  reportedId: string | null,
  scope: TaskScope,
): Promise<{ events: NewEvent[]; externalId: string | null }> {
  const [created] = await inventory.markCreated(tx.db, change, account_id);
  if (created === undefined) return { events: [], externalId: external_id };
  const events = created.from === 'NEW' ? accountEventsOfTask(scope, [created]) : [];
  const changes =
    reportedId === null ? null : await inventory.correlateReported(tx, change, account_id, reportedId);
  if (changes === null) return { events, externalId: external_id };
  const isReplaced = external_id !== null && external_id !== reportedId;
  const correlated = await inventory.correlationEvents(
    tx,
    { actor: scope.actor, source: { type: 'task', uuid: id } },
    isReplaced ? [{ id: account_id, from: external_id }] : [],
    changes,
  );
  return { events: [...events, ...correlated], externalId: reportedId };
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
