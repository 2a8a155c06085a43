import { sql } from '#kit/sql.ts';
import { isEndedBy, isInForce, suspensions } from '#reasons/suspensions/facts.ts';
import { reasonSentences } from '../../reason-sentences.ts';
import type { PreconditionRule } from './precondition.ts';

/** Holds while no suspension is in force that the policy of the task does not end (D73). */
export const noSuspension: PreconditionRule = {
  holds: (orgId) => sql`not exists (
    select from ${suspensions} s
    where s.org_id = ${orgId} and s.account_id = t.account_id and ${isInForce('s')}
      and not case when t.leaving then ${isEndedBy('s', 'leaving')} else ${isEndedBy('s', 'by machines')} end)`,
  reason: reasonSentences.task_suspended_otherwise(),
};
