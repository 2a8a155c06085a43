import type { NewEvent } from '../../events/record.ts';
import type { Cause } from '../../identity/cause.ts';

/** The `user.updated` event of a change to how a person signs in. */
export const signInChanged = (
  { actor, source }: Cause,
  { id, email }: { id: string; email: string },
  change: { field: string; from: string | null; to: string | null },
): NewEvent => ({
  type: 'user.updated',
  actor,
  subject: { type: 'platform_user', uuid: id },
  source,
  payload: { user_id: id, email, changes: [change] },
});
