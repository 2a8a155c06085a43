import { forbidden } from '../../kit/errors.ts';
import type { Task } from './queries/views.ts';

/**
 * Throws 403 if one of the tasks gives access to the person who created it. Nobody grants themselves access: a second person
 * must (D70). Tasks that take access or reset a password are allowed.
 */
export function requireSecondPerson(tasks: readonly Task[], creatorId: string): void {
  const own = tasks.some((task) => task.user_id === creatorId && grants(task));
  if (own)
    throw forbidden(
      'You cannot give yourself access. Ask another administrator to do it, or request the access.',
    );
}

const grants = ({ action, changes }: Task) =>
  action === 'create_account' || action === 'unsuspend_account' || changes.some(({ added }) => added);
