import type { Sentence } from '#kit/sentences.ts';
import type { RawBuilder } from '#kit/sql.ts';
import type { Precondition } from '../../task.ts';

/**
 * A kind of precondition: its SQL over the task `t` of an organization, whose parameters are the JSON object `p.value`, and
 * the reason that is given when a task is canceled because the precondition does not hold.
 */
export interface PreconditionRule {
  holds: (orgId: string) => RawBuilder<boolean>;
  reason: Sentence;
}

/** The kinds that are checked in SQL. */
export type PreconditionKind = Exclude<Precondition['kind'], 'policy_agrees'>;
