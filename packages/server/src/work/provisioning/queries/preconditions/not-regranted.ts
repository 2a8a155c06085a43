import { sql } from 'kysely';
import type { PreconditionRule } from './precondition.ts';

/** Holds unless a newer task, open or completed, adds an entitlement that this task removes. */
export const notRegranted: PreconditionRule = {
  holds: (orgId) => sql`not exists (
    select from task_change removed
    join task newer on newer.org_id = ${orgId} and newer.account_id = t.account_id and newer.number > t.number
      and newer.status in ('scheduled', 'pending', 'completed')
    join task_change added on added.org_id = ${orgId} and added.task_id = newer.id
      and added.entitlement_id = removed.entitlement_id and added.added
    where removed.org_id = ${orgId} and removed.task_id = t.id and not removed.added)`,
  reason: 'The access was granted again in the meantime.',
};
