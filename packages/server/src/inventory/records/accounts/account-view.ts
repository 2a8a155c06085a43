import type { AccountKind, AccountStatus } from './account.ts';
import type { AccountDetails } from './detail-facts.ts';
import type { Giver } from './facts.ts';

export interface EntitlementRef {
  id: string;
  name: string;
  /** When Gatehouse first knew of it, in ISO 8601. */
  granted_at: string;
  /** The group or license that gives it. Null: it was given directly. Missing: it is unknown what gave it at an earlier time. */
  via?: Giver | null;
}

export interface PersonRef {
  external_uuid: string;
  email: string;
  first_name: string;
  last_name: string;
}

export interface AccountView extends AccountDetails {
  id: string;
  app_id: string;
  app_name: string;
  external_id: string | null;
  email: string;
  username: string;
  display_name: string;
  status: AccountStatus;
  /** The linked person. */
  user: string | null;
  person: PersonRef | null;
  kind: AccountKind;
  /** The person who is responsible for a service or shared account. */
  owner: (PersonRef & { status: 'active' | 'deactivated' }) | null;
  /** Whether an administrator chose the kind and owner. Otherwise they follow from the owner that the app names. */
  owner_confirmed: boolean;
  last_seen_at: Date | null;
  memberships: Record<string, EntitlementRef[]>;
  assignments: Record<string, EntitlementRef[]>;
  /** The records of which an administrator has to choose one (D24). Null if its record is certain, or still awaited. */
  candidates: Candidate[] | null;
}

/** An account that a sync made of a record, and that may be an account that a task created. */
export interface Candidate {
  account: string;
  external_id: string;
  email: string;
  username: string;
  display_name: string;
  status: AccountStatus;
}

export const ACCOUNT_SORTS = [
  'created',
  '-created',
  'email',
  '-email',
  'last_sign_in',
  '-last_sign_in',
] as const;
export type AccountSort = (typeof ACCOUNT_SORTS)[number];
