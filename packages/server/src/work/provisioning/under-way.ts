import { holdApps } from '#inventory/apps/facts.ts';
import { lockAccounts } from '#inventory/records/accounts/account-facts.ts';
import type { OrgTx } from '#kit/database.ts';
import type { DomainError } from '#kit/errors.ts';
import { openTasks } from './find.ts';
import { taskRefusals } from './sentences.ts';
import type { Action, Task } from './task.ts';

/** A removal that somebody asks for. `insteadOf` is the open task that it replaces. */
interface AskedRemoval {
  appId: string;
  accountId: string;
  action: Action;
  /** Null: now. */
  executeAfter: Date | null;
  insteadOf: string | null;
}

/**
 * Throws 409 if an open task already deletes or suspends the account, no later than asked for. A second task would only take the
 * place of the first one, and with it the decision that made it. A deletion that still waits for its time can be replaced by name.
 */
export async function requireNotUnderWay(tx: OrgTx, asked: AskedRemoval): Promise<void> {
  const { action, appId, accountId, insteadOf } = asked;
  if (insteadOf !== null && action !== 'delete_account') throw taskRefusals.instead_of_not_allowed();
  if (action !== 'delete_account' && action !== 'suspend_account') return;
  // Two people who ask at the same time take turns, in the order of locks.
  await holdApps(tx, [appId]);
  await lockAccounts(tx, [accountId]);
  const removal = sameRemoval(await openTasks(tx, accountId), action);
  if (insteadOf !== null && removal?.id !== insteadOf) throw taskRefusals.instead_of_outdated();
  if (removal === undefined) return;
  const begins = asked.executeAfter ?? new Date();
  if (isLater(removal, begins) && (insteadOf !== null || action === 'suspend_account')) return;
  throw underWay(removal, isLater(removal, begins));
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

function underWay({ id, action, waits_for, execute_after }: Task, isLater: boolean): DomainError {
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
