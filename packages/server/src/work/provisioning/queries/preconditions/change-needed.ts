import { sql } from 'kysely';
import { holds } from '../../../../inventory/records/facts.ts';
import type { PreconditionRule } from './precondition.ts';

/** Holds while the task would change something: the account lacks an entitlement to add, or holds one to remove. */
export const changeNeeded: PreconditionRule = {
  holds: (orgId) => sql`exists (
    select from task_change c
    where c.org_id = ${orgId} and c.task_id = t.id
      and c.added <> ${holds(sql`${orgId}`, sql`t.account_id`, sql`c.entitlement_id`)})`,
  reason: 'The account already has the requested access.',
};
