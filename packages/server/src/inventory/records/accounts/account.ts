import { Type } from 'typebox';

/**
 * The states of an account. Only inventory writes them (D25).
 *
 *            creation requested         created               pushed as active
 *   (none) ────────────────────> NEW ───────────> INVITED ──────────────────────> ACTIVE <────> SUSPENDED
 *                                │ ^                 │                              │              │
 *      creation failed for good  │ │ creation        │                              │              │
 *      or canceled               v │ requested       v                              v              v
 *                              INACTIVE <───────── deleted, missing from a sync, or pushed as inactive
 *
 * - A task makes an account NEW when its create_account is requested and INVITED when that completes. Completed
 *   suspend_account, unsuspend_account and delete_account tasks make it SUSPENDED, ACTIVE and INACTIVE.
 * - A sync sets the status of the pushed record (ACTIVE, SUSPENDED or INACTIVE), whatever it was before.
 * - A removal makes accounts that a completed sync did not push INACTIVE, except NEW ones.
 *
 * `removed_at` is set while an account is deleted or missing; an account pushed as inactive has none.
 */
export const ACCOUNT_STATUSES = ['NEW', 'INVITED', 'ACTIVE', 'SUSPENDED', 'INACTIVE'] as const;
export const AccountStatus = Type.Enum([...ACCOUNT_STATUSES], { title: 'AccountStatus' });
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** A change of an account's state. `from` is null for an inserted account. */
export interface AccountChange {
  account_id: string;
  from: AccountStatus | null;
  to: AccountStatus;
}

/** A membership or assignment that an account gained or lost. */
export interface MembershipChange {
  account_id: string;
  entitlement_id: string;
}

/** An account as the rules about tasks need it. */
export interface AccountState {
  id: string;
  app_id: string;
  status: AccountStatus;
  /** The id in the external system; null until it is known. */
  external_id: string | null;
  removed_at: Date | null;
  /** Whether the connector signs in with it (D66). */
  is_own: boolean;
}

export const ACCOUNT_KINDS = ['person', 'service', 'shared'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** The person that an account is created for. */
export interface AccountHolder {
  id: string;
  email: string;
  username: string;
  first_name: string;
  last_name: string;
}

export interface AwaitedAccount {
  app_id: string;
  resource_type_id: string;
  /** The id that the account gets unless another account has it (D47). */
  reserved_id: string | null;
  person: AccountHolder;
}
