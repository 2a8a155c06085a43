import type { OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import type { NewGrant } from '#reasons/grants/grant.ts';
import { createTasks, type NewTask } from '#work/provisioning/create.ts';
import type { Task } from '#work/provisioning/task.ts';
import { type Change, type HeldGrant, WRITTEN } from './change.ts';
import { conditionsOf } from './conditions.ts';

/**
 * Carries out what a proposal has left: creates the tasks of its changes, in their order, and begins its grants on what is held. The caller
 * records the events last (createTasks).
 */
export const apply = (
  tx: OrgTx,
  { changes, held }: { changes: readonly Change[]; held: readonly HeldGrant[] },
  cause: Cause,
): Promise<{ tasks: Task[]; events: NewEvent[] }> =>
  createTasks(tx, changes.map(taskOf), cause, held.flatMap(grantOf));

function taskOf(change: Change): NewTask {
  const { decision, action, app, user, account, add, remove, executeAfter, until, leaving } = change;
  const { taskType, source } = WRITTEN[decision.kind];
  const common = {
    appId: app.id,
    add: idsOf(add),
    remove: idsOf(remove),
    ...{ executeAfter, taskType, until: until ?? null, leaving: leaving ?? false },
    createdBy: decision.decidedBy,
    reason: decision.reason,
    source: source === null || decision.id === null ? null : { type: source, id: decision.id },
    label: decision.label,
    preconditions: conditionsOf(change),
    releasedBy: decision.releasedBy ?? null,
  };
  if (action !== 'create_account') return { ...common, action, accountId: account?.id as string };
  const { resourceType = null, reservedAccountId = null } = change;
  return { ...common, action, userId: user?.id as string, resourceType, reservedAccountId };
}

function grantOf({ decision, app, account, entitlement_id, from, until }: HeldGrant): NewGrant[] {
  const { grant: kind } = WRITTEN[decision.kind];
  if (kind === null) return [];
  return [
    {
      ...{ app_id: app.id, account_id: account.id, entitlement_id, kind },
      ...{ source_id: decision.id, label: decision.label, decided_by: decision.decidedBy },
      ...{ starts_at: from, ends_at: until },
    },
  ];
}

const idsOf = (parts: Change['add']) => parts.map(({ entitlement_id }) => entitlement_id);
