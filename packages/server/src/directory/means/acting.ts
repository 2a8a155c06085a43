/** How somebody got the means to act from somebody else. */
const MEANS_KINDS = [
  'role',
  'sign_in_link',
  'factor',
  'deputy',
  'key',
  'person',
  'email',
  'provider',
] as const;
export type MeansKind = (typeof MEANS_KINDS)[number];

/** The provider of an act of which nobody knows how its person had signed in: every provider counts. */
export const ANY_PROVIDER = '*';

/** Somebody who acts, or has acted. */
export interface Acting {
  person: string;
  /** The provider of their session, or of the session in which their key was made. Null: none. */
  provider: string | null;
  /** Null: now. */
  at: Date | null;
}

/** Why somebody is behind an act: they act themselves, gave the one who acts this, or gave something to somebody in between. */
export const BECAUSES = ['self', ...MEANS_KINDS, 'chain'] as const;
export type Because = (typeof BECAUSES)[number];

/** For so many days, somebody who gave another person the means to act is behind what that person does. */
export const MEANS_DAYS = 30;

export interface GivenMeans {
  kind: MeansKind;
  receiver: string | null;
  provider: string | null;
}
