import { DomainError } from '#kit/errors.ts';
import { failureOfProvider, type ProviderError } from '../visit/provider-error.ts';

/** Reasons as the log records them. The sign-in page gets the code, and has a sentence for each. */
const FAILURES = {
  unknown_person: 'No active person of the organization has this email address.',
  email_domain: 'The provider is not trusted for this email domain.',
  email_not_verified: 'The provider has not verified this email address.',
  not_approved_for_owners: 'The provider is not approved to sign in owners.',
  linked_to_another: 'The person with this email address is linked to another account of the provider.',
  expired: 'The sign-in took too long, was started in another browser, or was already completed.',
  unsolicited: 'The provider sent a response that Gatehouse did not request.',
  unknown_provider: 'The address names a provider that the organization does not have.',
  another_issuer: 'The address names another issuer than the one of the provider.',
  malformed: 'The response of the provider is malformed.',
  no_address:
    'Gatehouse does not know the address under which people reach it. Set GATEHOUSE_PUBLIC_URL and restart it.',
  refused: 'The provider refused the sign-in.',
  interaction_required:
    'The provider had to ask the person something, and could not. Let the person sign in at the provider first.',
  provider_unavailable: 'The provider is not able to sign in people at the moment.',
  provider_settings:
    "The provider did not accept Gatehouse's request. Compare the client, the redirect URI or ACS URL, and the scopes with the settings at the provider.",
  provider_error: 'The provider reports a failure.',
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
  /** The report of the provider, if it refused the sign-in itself. */
  readonly reported: ProviderError | null;

  constructor(
    failure: Failure,
    email: string | null = null,
    reported: ProviderError | null = null,
    why: string = FAILURES[failure],
  ) {
    const reason = `${why}${reported === null ? '' : reportOf(reported)}${email === null ? '' : ` (${email})`}`;
    super('unauthenticated', reason);
    this.failure = failure;
    this.email = email;
    this.reported = reported;
  }
}

const reportOf = ({ code, words }: ProviderError) =>
  ` It reports ${code}${words === null ? '.' : `, in its own words: "${words}"`}`;

/** Refuses a sign-in for the reason that the provider reports. */
export const refusalOfProvider = (reported: ProviderError): SsoRefusal =>
  new SsoRefusal(failureOfProvider(reported), null, reported);

const FAILURE_OF_ERROR: Partial<Record<DomainError['code'], Failure>> = {
  throttled: 'throttled',
  invalid: 'malformed',
  too_large: 'malformed',
  conflict: 'no_address',
};

/** Returns the code of a failed sign-in for the sign-in page. */
export function failureOf(error: unknown): Failure {
  if (error instanceof SsoRefusal) return error.failure;
  return (error instanceof DomainError ? FAILURE_OF_ERROR[error.code] : undefined) ?? 'provider';
}

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
    return new SsoRefusal('unavailable', null, null, `The request to the provider failed. ${unreached}`);
  if (problem !== undefined) return new SsoRefusal(problem);
  return new SsoRefusal(
    code === 'invalid_provider' || code === 'discovery_failed'
      ? (FAILURE_OF_DESCRIPTION[description] ?? 'unavailable')
      : (FAILURE_OF[code] ?? 'provider'),
  );
}
