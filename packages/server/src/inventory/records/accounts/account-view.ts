import type { Static } from 'typebox';
import type { ManagedAccount } from './schemas.ts';

type Shown = Required<
  Omit<Static<typeof ManagedAccount>, 'external_uuid' | 'app' | 'certainty' | 'bounds' | 'suspensions'>
>;

/** An account as SQL returns it. The candidates are null if its record is certain, or still awaited. */
export type AccountView = Omit<Shown, 'candidates'> & {
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
