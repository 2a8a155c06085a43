/** How somebody got the means to act from somebody else. */
export type MeansKind =
  | 'role'
  | 'sign_in_link'
  | 'factor'
  | 'deputy'
  | 'key'
  | 'person'
  | 'email'
  | 'provider';

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
export type Because = 'self' | MeansKind | 'chain';

/** For so many days, somebody who gave another person the means to act is behind what that person does. */
export const MEANS_DAYS = 30;

export interface GivenMeans {
  kind: MeansKind;
  receiver: string | null;
  provider: string | null;
}
