import { type SharedAct, waiveSecondPerson } from '#directory/access/second-person.ts';
import { anyBelongedTo } from '#inventory/records/accounts/links.ts';
import type { CallTx } from '#kit/identity.ts';
import type { NewEvent } from '#log/events/record.ts';
import { taskRefusals } from './sentences.ts';
import type { Task } from './task.ts';

/**
 * Throws 403 if one of the tasks gives access to the person who created it, or to the one who created the calling API key. Nobody
 * grants themselves access: a second person must (D70). The only administrator may, with the event that this returns. An account that was
 * theirs lately counts as theirs, since the link can be set again. Tasks that take access or reset a password are allowed.
 */
export async function requireSecondPerson(
  tx: CallTx,
  tasks: readonly Task[],
  act: SharedAct,
): Promise<NewEvent[]> {
  const { userId, transferredFrom } = tx.principal;
  const granting = tasks.filter(grants).map(({ account_id }) => account_id);
  const people = [userId, ...(transferredFrom == null ? [] : [transferredFrom])];
  if (granting.length === 0 || !(await anyBelongedTo(tx, granting, people))) return [];
  const refusal = taskRefusals.own_benefit();
  return waiveSecondPerson(tx, tx.cause, { act, userId: transferredFrom ?? userId, refusal });
}

const grants = ({ action, changes }: Task) =>
  action === 'create_account' || action === 'unsuspend_account' || changes.some(({ added }) => added);
