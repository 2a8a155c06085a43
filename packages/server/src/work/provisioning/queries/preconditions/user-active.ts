import { sql } from 'kysely';
import type { PreconditionRule } from './precondition.ts';

/** Holds while the person is active. Without it, access that was approved for a leaver would still be granted. */
export const userActive: PreconditionRule = {
  holds: (orgId) => sql`exists (
    select from platform_user u
    where u.org_id = ${orgId} and u.id = (p.value ->> 'user_id')::uuid and u.status = 'active')`,
  reason: 'The person is no longer active.',
};
