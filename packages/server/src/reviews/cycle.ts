import type { Frequency } from './schedule.ts';

/**
 * A cycle of a campaign (governance.md "Access reviews"):
 *
 *   waiting ──its turn, or start──> opening ──all items frozen──> in_progress ──all decided, or due──> completed
 *
 * Waiting and opening read as `scheduled`. A campaign has at most one cycle that waits, and one that is opening or in
 * progress. A decision can be changed until its cooling-off is over; a keep until the cycle is completed, too. A
 * revocation is a task from the start, scheduled for the end of its cooling-off (revoke.ts).
 */
export type CycleStatus = 'scheduled' | 'in_progress' | 'completed';

export const INCLUDE = ['accounts', 'memberships', 'assignments'] as const;
export type Include = (typeof INCLUDE)[number];

export const KINDS = ['account', 'membership', 'assignment'] as const;
export type ItemKind = (typeof KINDS)[number];

export type Decision = 'keep' | 'revoke';

/** Who reviews: one person for each item, or a list of whom any may decide. */
export type Reviewer = 'manager' | 'app_owner' | string[];

/** What a campaign says, and what a cycle freezes of it when its opening begins. */
export interface Settings {
  name: string;
  scope: {
    /** Null: all apps. */
    apps: string[] | null;
    /** CEL over `user`; null: everybody's accounts, and nobody's. */
    users: string | null;
    include: Include[];
  };
  reviewer: Reviewer;
  /** Null: the organization's owners and administrators. */
  fallback_reviewers: string[] | null;
  frequency: Frequency;
  /** ISO 8601; null: only when it is started by hand. */
  starts_at: string | null;
  due_days: number;
  on_no_response: Decision;
  revoke_account_by: 'delete' | 'suspend';
  cooling_off_hours: number;
}
