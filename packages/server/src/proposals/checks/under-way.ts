import type { DomainError } from '#kit/errors.ts';
import { openTasks } from '#work/provisioning/find.ts';
import { taskRefusals } from '#work/provisioning/sentences.ts';
import type { Action, Task } from '#work/provisioning/task.ts';
import type { Change } from '../change.ts';
import type { Check } from './check.ts';

/**
 * Nobody removes by hand what an open task already deletes or suspends, no later than asked for: a second task would only take the
 * place of the first one, and with it the decision that made it. A deletion that still waits for its time can be replaced by name.
 */
export const underWay: Check<'under_way'> = {
  concerns: ({ decision, action }) =>
    decision.kind === 'manual' && (action === 'delete_account' || action === 'suspend_account'),
  async judge(db, changes) {
    const found: { index: number; part: null; result: DomainError }[] = [];
    for (const [index, change] of changes.entries()) {
      const result = refusalOf(change, await openTasks(db, change.account?.id as string));
      if (result !== undefined) found.push({ index, part: null, result });
    }
    return found;
  },
};

function refusalOf({ action, insteadOf = null, executeAfter }: Change, open: readonly Task[]) {
  const removal = sameRemoval(open, action);
  if (insteadOf !== null && removal?.id !== insteadOf) return taskRefusals.instead_of_outdated();
  if (removal === undefined) return undefined;
  const later = isLater(removal, executeAfter ?? new Date());
  if (later && (insteadOf !== null || action === 'suspend_account')) return undefined;
  return refusalFor(removal, later);
}

/** The open task that already does what is asked for. A suspension that a later task ends counts no more. */
function sameRemoval(open: readonly Task[], action: Action): Task | undefined {
  if (action === 'delete_account') return open.find((task) => task.action === action);
  const last = open.findLast(
    (task) => task.action === 'suspend_account' || task.action === 'unsuspend_account',
  );
  return last?.action === action ? last : undefined;
}

/** Whether the task waits for a time that is later than this one, and for nothing else. */
const isLater = ({ status, waits_for, execute_after }: Task, than: Date) =>
  status === 'scheduled' && waits_for === null && execute_after > than;

function refusalFor({ id, action, waits_for, execute_after }: Task, isLater: boolean): DomainError {
  const is = action === 'delete_account' ? DELETION : SUSPENSION;
  if (isLater) return is.later({ id, at: execute_after.toISOString() });
  if (waits_for === 'confirmation' || waits_for === 'undecided') return is.unconfirmed({ id });
  return waits_for === 'hold' ? is.onHold({ id }) : is.underWay({ id });
}

const DELETION = {
  later: taskRefusals.deletion_later,
  unconfirmed: taskRefusals.deletion_waits_for_confirmation,
  onHold: taskRefusals.deletion_waits_in_hold,
  underWay: taskRefusals.deletion_under_way,
};

const SUSPENSION = {
  later: taskRefusals.suspension_later,
  unconfirmed: taskRefusals.suspension_waits_for_confirmation,
  onHold: taskRefusals.suspension_waits_in_hold,
  underWay: taskRefusals.suspension_under_way,
};
