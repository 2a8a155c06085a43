import type { Ending } from '../grants/grant.ts';

/**
 * A suspension (D73): a decision in force that an account should be suspended.
 *
 *   begun ──somebody unsuspends the account, its person returns, or the app shows it active──> ended
 *
 * Only its end changes. An account is suspended while one is in force.
 */
export const SUSPENSION_KINDS = ['manual', 'review', 'policy', 'app'] as const;
export type SuspensionKind = (typeof SUSPENSION_KINDS)[number];

export const SUSPENSION_STATUSES = ['active', 'scheduled', 'ended'] as const;
export type SuspensionStatus = (typeof SUSPENSION_STATUSES)[number];

/** A decision to suspend an account. */
export interface NewSuspension {
  app_id: string;
  account_id: string;
  kind: Exclude<SuspensionKind, 'app'>;
  source_id: string | null;
  /** The name of the decision. */
  label: string;
  decided_by: string | null;
  reason: string | null;
  /** Whether it was decided because the person leaves. */
  leaving: boolean;
  /** Null: now. */
  since: Date | null;
}

/** A decision that suspends an account. A manual one is known by the person who decided and the reason, since each task is one of its own. */
export type Decided = Pick<
  NewSuspension,
  'account_id' | 'kind' | 'source_id' | 'decided_by' | 'reason' | 'leaving'
>;

/**
 * The suspensions that a decision ends (D73): all by hand; by a policy for people who return, those that were decided because the person
 * left; by any other policy, none that a person decided.
 */
export type Ended = 'all' | 'leaving' | 'by machines';

export type { Ending };
