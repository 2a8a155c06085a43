import { type RawBuilder, sql } from 'kysely';
import { holds, holdsDirectly } from '../../../../inventory/records/facts.ts';
import type { PreconditionRule } from './precondition.ts';

const removed = (orgId: string, held: RawBuilder<boolean>) => sql`exists (
  select from task_change c
  where c.org_id = ${orgId} and c.task_id = t.id and not c.added and not c.spared and ${held})`;

/** Holds unless something else gives all that is left of what the task would remove (D68). Its connector could not remove it. */
export const notDerived: PreconditionRule = {
  holds: (orgId) => {
    const change = [sql`${orgId}`, sql`t.account_id`, sql`c.entitlement_id`] as const;
    return sql`(not ${removed(orgId, holds(...change))} or ${removed(orgId, holdsDirectly(...change))})`;
  },
  reason: 'The account has the access through another group or license, so it cannot be removed by itself.',
};
