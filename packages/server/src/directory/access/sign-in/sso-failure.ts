import { DomainError } from '../../../kit/errors.ts';

/** Reasons as the log records them. The sign-in page gets the code, and has a sentence for each. */
const FAILURES = {
  unknown_person: 'No active person of the organization has this email address.',
  email_domain: 'The provider is not trusted for this email domain.',
  email_not_verified: 'The provider has not verified this email address.',
  not_approved_for_owners: 'The provider is not approved to sign in owners.',
  linked_to_another: 'The person with this email address is linked to another account of the provider.',
  expired: 'The sign-in took too long, was started in another browser, or was already completed.',
  refused: 'The provider refused the sign-in.',
  unavailable:
    "The provider refused Gatehouse's request for the ID token or for the person, or did not respond. Compare the client ID and the client secret with those at the provider, and check that this server reaches it.",
  no_id_token: 'The provider sent no ID token. Allow the scope openid for the client at the provider.',
  no_email: 'The provider sent no email address. Allow the scope email for the client at the provider.',
  id_token_signature:
    "The ID token is not signed with one of the provider's published keys. Gatehouse accepts no shared secret as a key.",
  id_token_issuer: 'The ID token names another issuer than the one in the settings of this provider.',
  id_token_audience:
    'The ID token is meant for other clients: its audience (aud) does not include our client ID.',
  id_token_party:
    'The ID token was issued to another client: its authorized party (azp) must be our client ID. A token with several audiences needs one.',
  id_token_nonce: 'The ID token belongs to another sign-in: its nonce is not the one that was sent.',
  id_token_expired:
    'The ID token has expired, or it is older than 10 minutes. Compare the clocks of this server and of the provider.',
  id_token_early:
    'The ID token was issued in the future. Compare the clocks of this server and of the provider.',
  id_token_times: 'The ID token does not say when it was issued and when it expires (iat, exp).',
  provider: "The provider's response could not be verified.",
  throttled: 'Too many failed sign-ins from this address.',
} as const;
export type Failure = keyof typeof FAILURES;

/** The failures behind better-auth's error codes. Any other code is `provider`. */
const FAILURE_OF: Record<string, Failure> = {
  state_mismatch: 'expired',
  state_not_found: 'expired',
  invalid_state: 'expired',
  replay_detected: 'expired',
  unsolicited_response: 'expired',
  access_denied: 'refused',
  login_required: 'refused',
};

/**
 * The failures behind the descriptions with which better-auth explains the code `invalid_provider`. Any other description is
 * that of a request to the provider, often in the provider's words, which stay out of the log.
 */
const FAILURE_OF_DESCRIPTION: Record<string, Failure> = {
  id_token_required_for_user_resolution: 'no_id_token',
  missing_user_info: 'no_email',
  id_token_subject_missing: 'provider',
  id_token_userinfo_subject_mismatch: 'provider',
};

/** Refusals of sso-person.ts. Their description is the email address. */
const EMAIL_FAILURES: ReadonlySet<string> = new Set<Failure>([
  'unknown_person',
  'email_domain',
  'email_not_verified',
  'not_approved_for_owners',
  'linked_to_another',
]);

export class SsoRefusal extends DomainError {
  readonly failure: Failure;
  readonly email: string | null;

  constructor(failure: Failure, email: string | null = null, why: string = FAILURES[failure]) {
    super('unauthenticated', email === null ? why : `${why} (${email})`);
    this.failure = failure;
    this.email = email;
  }
}

/** Returns the code of a failed sign-in for the sign-in page. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof SsoRefusal) return error.failure;
  return error instanceof DomainError && error.code === 'throttled' ? 'throttled' : 'provider';
};

/**
 * Reads the refusal in better-auth's redirect. It hides why an id token could not be verified: `problem` is that reason, if
 * there is one. It also hides why a request to the provider got no response (`unreached`).
 */
export function refusalIn(
  query: URLSearchParams,
  { problem, unreached }: { problem?: Failure; unreached?: string },
): SsoRefusal {
  const code = query.get('error') ?? '';
  const description = query.get('error_description') ?? '';
  if (EMAIL_FAILURES.has(code)) return new SsoRefusal(code as Failure, description.slice(0, 254));
  if (unreached !== undefined)
    return new SsoRefusal('unavailable', null, `The request to the provider failed. ${unreached}`);
  if (problem !== undefined) return new SsoRefusal(problem);
  return new SsoRefusal(
    code === 'invalid_provider' || code === 'discovery_failed'
      ? (FAILURE_OF_DESCRIPTION[description] ?? 'unavailable')
      : (FAILURE_OF[code] ?? 'provider'),
  );
}
