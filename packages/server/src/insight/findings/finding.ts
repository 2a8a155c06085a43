import { type Static, Type } from 'typebox';

/** The kinds of findings. A name is part of the API and never changes. `queries/kinds` has a file for each. */
export const KIND_NAMES = [
  'leaver_with_access',
  'held_sync',
  'held_policy',
  'people_change_held',
  'overdue_sync',
  'task_without_fulfiller',
  'orphaned_account',
  'unowned_account',
  'unseen_access',
  'grant_of_another_person',
  'reviewer_cannot_sign_in',
  'own_afterwards',
  'last_member_left',
  'dormant_privileged',
  'privileged_without_mfa',
  'group_without_owner',
  'returned_after_revocation',
  'lookalike_names',
  'missing_access',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

export const FINDING_SEVERITIES = ['low', 'medium', 'high', 'critical'] as const;
export type FindingSeverity = (typeof FINDING_SEVERITIES)[number];

export const SUBJECTS = ['person', 'account', 'group', 'app', 'policy', 'hold', 'task'] as const;
export type Subject = (typeof SUBJECTS)[number];

/**
 * An open finding becomes resolved when its kind no longer finds it, and open again when it does. An accepted one is open again after
 * `accepted_until`, or when somebody reopens it.
 */
export const FindingStatus = Type.Enum(['open', 'accepted', 'resolved'], {
  default: 'open',
  description:
    'open: needs attention. accepted: somebody has decided to live with it until a time. resolved: is over, until it comes back.',
});
export type FindingStatus = Static<typeof FindingStatus>;
