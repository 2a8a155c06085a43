import type { Principal } from '#kit/identity.ts';
import type { Frequency } from './schedule.ts';

/**
 * A cycle of a campaign (protocol 14):
 *
 *   waiting ──opens_at reached, or started──> opening ──all items created──> in_progress ──all decided, or due──> completed
 *
 * The API shows waiting and opening as `scheduled`. A campaign has at most one waiting cycle, and at most one that is
 * opening or in progress. A decision can be changed until its cooling-off is over, and a keep also until the cycle is
 * completed. A revocation creates its task immediately, scheduled for the end of the cooling-off (revoke.ts).
 */
export const CYCLE_STATUSES = ['scheduled', 'in_progress', 'completed'] as const;

export type CycleStatus = (typeof CYCLE_STATUSES)[number];

export const INCLUDE = ['accounts', 'memberships', 'assignments'] as const;

export type Include = (typeof INCLUDE)[number];

export const RISKS = ['low', 'medium', 'high'] as const;

export type Risk = (typeof RISKS)[number];

export const KINDS = ['account', 'membership', 'assignment'] as const;

export type ItemKind = (typeof KINDS)[number];

export const DECISIONS = ['keep', 'revoke'] as const;

export type Decision = (typeof DECISIONS)[number];

/**
 * The state of a revocation: its task is ahead, the access is gone, the last attempt failed, or it cannot be carried out,
 * because the group no longer exists, or the task was canceled and the access is still there.
 */
export const REVOCATION_STATES = ['waiting', 'carried_out', 'failed', 'not_possible'] as const;

export type RevocationState = (typeof REVOCATION_STATES)[number];

export type Revocations = Record<RevocationState, number>;

export const noRevocations = (): Revocations => ({ waiting: 0, carried_out: 0, failed: 0, not_possible: 0 });

export const REVOKE_ACCOUNT_BY = ['delete', 'suspend'] as const;

export type RevokeAccountBy = (typeof REVOKE_ACCOUNT_BY)[number];

/**
 * `account_owner` is the owner of a service or shared account, and for other accounts the manager of their person.
 * `group_owner` is the owner that the app names for the group of a membership, and for other items the owner of the app.
 */
export const REVIEWER_RULES = ['manager', 'app_owner', 'account_owner', 'group_owner'] as const;

/** The reviewer of each item, or a list of people of whom any can decide any item. */
export type Reviewer = (typeof REVIEWER_RULES)[number] | string[];

/** The settings of a campaign. A cycle keeps a copy from when its opening began. */
export interface Settings {
  name: string;
  scope: {
    /** Null: all apps. */
    apps: string[] | null;
    /** CEL over `user`. Null: all accounts, including orphaned ones. */
    users: string | null;
    include: Include[];
    /** Only accounts that were not used for this number of days. Null or absent: all. */
    not_used_for_days?: number | null;
    /** Only memberships of groups with one of these risks, and accounts that have one. Null or absent: all. */
    risks?: Risk[] | null;
  };
  reviewer: Reviewer;
  /** Null: the organization's owners and administrators. */
  fallback_reviewers: string[] | null;
  frequency: Frequency;
  /** ISO 8601. Null: cycles are started by hand only. */
  starts_at: string | null;
  due_days: number;
  on_no_response: Decision;
  revoke_account_by: RevokeAccountBy;
  cooling_off_hours: number;
  /** Working days without a decision after which items are escalated. Null or absent: never. */
  escalate_after_working_days?: number | null;
}

/** Whether a person sees all cycles, and decides items that have no other reviewer. */
export const isAdministrator = ({ role }: Pick<Principal, 'role'>) => role === 'owner' || role === 'admin';

/** An open cycle with undecided items about a person's access. */
export interface OpenReviewOfPerson {
  user: string;
  /** The id of the cycle. */
  external_uuid: string;
  name: string;
  due_at: Date | null;
  undecided: number;
  /** The items among them that the caller reviews. */
  to_decide: number;
}

/** A person with undecided items. */
export interface Awaited {
  userId: string;
  /** The absent person for whom they review. Null: in their own place. */
  onBehalfOf: string | null;
  /** The number of undecided items that they may decide. */
  items: number;
}

/** An item whose reviewers were replaced. */
export interface Reassigned {
  cycle_id: string;
  item_id: string;
  app_id: string;
  app_name: string;
  account_id: string;
  email: string;
  username: string;
  user_id: string | null;
  from: string[];
  to: string[];
}
