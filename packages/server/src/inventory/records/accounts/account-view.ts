import type { Static } from 'typebox';
import type { ManagedAccount } from './schemas.ts';

type Shown = Required<
  Omit<Static<typeof ManagedAccount>, 'external_uuid' | 'app' | 'certainty' | 'bounds' | 'suspensions'>
>;

/** A group or license of an account as SQL returns it, without its grants. */
export type HeldView = Omit<Shown['memberships'][string][number], 'grants'> & { entitlement_id: string };

/** An account as SQL returns it, without its grants. The candidates are null if its record is certain, or still awaited. */
export type AccountView = Omit<Shown, 'candidates' | 'grants' | 'memberships' | 'assignments'> & {
  memberships: Record<string, HeldView[]>;
  assignments: Record<string, HeldView[]>;
  id: string;
  app_id: string;
  app_name: string;
  candidates: Shown['candidates'] | null;
};

export const ACCOUNT_SORTS = [
  'created',
  '-created',
  'email',
  '-email',
  'last_sign_in',
  '-last_sign_in',
] as const;
export type AccountSort = (typeof ACCOUNT_SORTS)[number];
