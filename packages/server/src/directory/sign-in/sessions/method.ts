export const SIGN_IN_METHODS = ['password', 'passkey', 'oidc', 'saml'] as const;
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

/** How a person signed in. */
export interface SignInDetails {
  method: SignInMethod;
  /** The provider's id, for `oidc` and `saml`. */
  provider: string | null;
  /** Whether a second factor was verified in addition to a password. */
  second_factor: boolean;
}
