import { type SharedAct, waiveSecondPerson } from '../../directory/access/second-person.ts';
import { forbidden } from '../../kit/errors.ts';
import type { CallTx } from '../../kit/identity/call.ts';
import type { NewEvent } from '../../log/events/record.ts';
import type { Task } from './queries/views.ts';

/**
 * Throws 403 if one of the tasks gives access to the person who created it. Nobody grants themselves access: a second person
 * must (D70). The only administrator may, with the event that this returns (D70). Tasks that take access or reset a password are allowed.
 */
export async function requireSecondPerson(
  tx: CallTx,
  tasks: readonly Task[],
  act: SharedAct,
): Promise<NewEvent[]> {
  const { userId } = tx.principal;
  if (!tasks.some((task) => task.user_id === userId && grants(task))) return [];
  const refusal = forbidden(
    'You cannot give yourself access. Ask another administrator to do it, or request the access.',
  );
  return waiveSecondPerson(tx, tx.cause, { act, userId, refusal });
}

const grants = ({ action, changes }: Task) =>
  action === 'create_account' || action === 'unsuspend_account' || changes.some(({ added }) => added);
