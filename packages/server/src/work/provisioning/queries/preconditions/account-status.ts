import { sql } from 'kysely';
import { accounts } from '../../../../inventory/records/facts.ts';
import type { PreconditionRule } from './precondition.ts';

/** Holds while the account has one of the statuses in `in`. */
export const accountStatus: PreconditionRule = {
  holds: (orgId) => sql`exists (
    select from ${accounts} a where a.org_id = ${orgId} and a.id = t.account_id and p.value -> 'in' ? a.status)`,
  reason: 'The status of the account has changed.',
};
