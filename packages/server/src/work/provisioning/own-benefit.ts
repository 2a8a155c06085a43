import { requireOtherHands, type SharedAct } from '#directory/means/second-person.ts';
import { holdersLately } from '#inventory/records/accounts/links.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { taskRefusals } from './sentences.ts';
import type { Task } from './task.ts';

/**
 * Throws 403 if one of the tasks gives access to somebody behind the call: a second person must (D76). An account that was theirs lately
 * counts as theirs, since the link can be set again. Tasks that take access or reset a password are allowed. Returns the event of the only
 * administrator, who may.
 */
export async function requireSecondPerson(
  tx: CallTx,
  tasks: readonly Task[],
  act: SharedAct,
): Promise<NewEvent[]> {
  const granting = tasks.filter(grants).map(({ account_id }) => account_id);
  return requireOthersAccounts(tx, granting, act);
}

/** Throws 403 if one of these accounts, which get or keep access, is or was lately that of somebody behind the call. */
export async function requireOthersAccounts(
  tx: CallTx,
  accountIds: readonly string[],
  act: SharedAct,
): Promise<NewEvent[]> {
  if (accountIds.length === 0) return [];
  const beneficiaries = (await holdersLately(tx, [...accountIds])).map(({ user_id }) => user_id);
  const refuse = () => taskRefusals.own_benefit();
  return requireOtherHands(tx, { act, beneficiaries, refuse });
}

const grants = ({ action, changes }: Task) =>
  action === 'create_account' || action === 'unsuspend_account' || changes.some(({ added }) => added);
