import type { GrantKind } from '#inventory/records/accounts/grant-kinds.ts';

/*
 * A grant (D73): a decision in force that an account should have a group or license, or should exist.
 *
 *   begun ──its start──> active ──its end, or a decision──> ended; owed, until its access was gone for 30 days
 *
 * Only its end changes. Several grants may be on the same access: it is removed when the last one ends, unless it was found.
 */

/** The kinds of decisions that end a grant. `end`: its time was over. */
export const END_KINDS = [
  'end',
  'request',
  'policy',
  'review',
  'manual',
  'business_role',
  'emergency',
  'restore',
  'sync',
  'app',
  'merge',
  'archive',
  'deletion',
] as const;
export type EndKind = (typeof END_KINDS)[number];

/** An account, or a group or license of it: its entitlement is null for the account itself. */
export interface Access {
  account_id: string;
  entitlement_id: string | null;
}

/** A decision that gives something. */
export interface NewGrant extends Access {
  app_id: string;
  kind: GrantKind;
  source_id: string | null;
  /** The name of the decision. */
  label: string;
  decided_by: string | null;
  /** Null: now. */
  starts_at: Date | null;
  /** Null: never. */
  ends_at: Date | null;
}

/** A decision that ends grants. */
export interface Ending {
  kind: Exclude<EndKind, 'end'>;
  id: string | null;
  label: string;
  /** Whether nobody decided, such as the silence of reviewers. It does not stand against policies and roles. */
  isSilent?: boolean;
}

/** Access that a person took away although a policy or a role gives it. */
export interface RevokedEntry extends Access {
  app_id: string;
  user_id: string | null;
  revoked_kind: 'request' | 'review' | 'manual';
  revoked_source: string | null;
  revoked_label: string;
  revoked_at: Date;
}

/** Until when an ended grant counts after its access was gone, in seconds: what returns later is new. */
export const OWED_SECONDS = 30 * 86_400;

/** A decision that gave an access. A manual one is known by the person who decided, since each task is one of its own. */
export interface Given extends Access {
  kind: GrantKind;
  source_id: string | null;
  decided_by: string | null;
}

/** An access that a decision took away since a time. */
export interface Taken extends Access {
  kind: Ending['kind'];
  id: string | null;
  since: Date;
}
