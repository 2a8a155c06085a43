import { sql } from 'kysely';
import type { PreconditionRule } from './precondition.ts';
import { userActive } from './user-active.ts';

/** Holds while the person is deactivated or deleted. Without it, a rehired person would lose access. */
export const userInactive: PreconditionRule = {
  holds: (orgId) => sql`not ${userActive.holds(orgId)}`,
  reason: 'The person is active again.',
};
