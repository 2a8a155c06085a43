import type { OrgDb, OrgTx } from '#kit/database.ts';
import type { Cause } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { cancelTasks, createTasks, openTasks } from '#work/provisioning/create.ts';
import type { Precondition, Task, TaskSource } from '#work/provisioning/task.ts';
import { endingSentences } from './sentences.ts';
import { reasonOf, shortLabel, type Ticket } from './ticket.ts';

/** When its turn comes, an end leaves what another decision grants for longer, and what something else gives (D68). */
export const ENDING: readonly Precondition[] = [{ kind: 'last_holder' }, { kind: 'not_derived' }];

/** A scheduled task that ends temporary access of a ticket. */
export interface Ending {
  task: Task & { source: TaskSource };
  /** Whether extending these entitlements moves the task. An empty list stands for all access. */
  isMovedBy(entitlementIds: readonly string[]): boolean;
}

/** Returns the scheduled tasks that end temporary access of the account. */
export async function scheduledEndings(db: OrgDb, accountId: string): Promise<Ending[]> {
  const open = await openTasks(db, accountId);
  return open.flatMap((task) => {
    const { source, status, action } = task;
    if (source?.type !== 'ticket' || status !== 'scheduled') return [];
    const removed = removedBy(task);
    if (action !== 'delete_account' && removed.length === 0) return [];
    // An account is not deleted while anything in it is extended.
    const isMovedBy = (ids: readonly string[]) =>
      action === 'delete_account' || ids.length === 0 || removed.some((id) => ids.includes(id));
    return [{ task: { ...task, source }, isMovedBy }];
  });
}

export const removedBy = ({ changes }: Task) =>
  changes.filter(({ added }) => !added).map(({ entitlement_id }) => entitlement_id);

/**
 * Postpones the endings that are due before `to` (null: cancels them) and concern the entitlements in `only` (empty:
 * all). The replacing tasks keep the original ticket as their source, so that they remove exactly what it granted.
 */
export async function moveEndings(
  tx: OrgTx,
  endings: readonly Ending[],
  { only, to }: { only: readonly string[]; to: Date | null },
  by: Ticket,
  cause: Cause,
): Promise<{ moved: string[]; events: NewEvent[] }> {
  const reason = endingSentences.task_access_extended({ request: shortLabel(by) });
  const moving = endings.filter(
    ({ task, isMovedBy }) => isMovedBy(only) && (to === null || task.execute_after < to),
  );
  const { events: cancelled } = await cancelTasks(
    tx,
    moving.map(({ task }) => task),
    cause,
    reason,
  );
  const postponed = moving.flatMap(({ task }) =>
    to === null
      ? []
      : [{ ...replacementOf(task), remove: movedPart(task, only), executeAfter: to, reason: reasonOf(by) }],
  );
  const unchanged = moving.flatMap(({ task }) => {
    const moved = movedPart(task, only);
    const remove = removedBy(task).filter((id) => !moved.includes(id));
    const { execute_after: executeAfter, reason } = task;
    return remove.length === 0 ? [] : [{ ...replacementOf(task), remove, executeAfter, reason }];
  });
  const created = await createTasks(tx, [...postponed, ...unchanged], cause);
  return {
    moved: created.tasks.slice(0, postponed.length).map(({ id }) => id),
    events: [...cancelled, ...created.events],
  };
}

/** The removals of a task that extending these entitlements (empty: all) moves. */
const movedPart = (task: Task, only: readonly string[]) =>
  removedBy(task).filter((id) => only.length === 0 || only.includes(id));

const replacementOf = (task: Ending['task']) => ({
  appId: task.app_id,
  accountId: task.account_id,
  action: task.action as 'update_account' | 'delete_account',
  taskType: 'APPROVAL_WORKFLOW' as const,
  createdBy: task.creator.id,
  source: task.source,
  preconditions: ENDING,
});
