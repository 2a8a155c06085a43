/** The reports of providers that do not sign a person in: codes of OpenID Connect and statuses of SAML. */

export interface ProviderError {
  /** The code, or the last part of a SAML status. */
  code: string;
  /** The provider's explanation. Anyone can write it into an address, so it is only ever shown as text. */
  words: string | null;
}

export type ProviderFailure =
  | 'refused'
  | 'interaction_required'
  | 'provider_unavailable'
  | 'provider_settings'
  | 'provider_error';

const LONGEST_CODE = 60;
const LONGEST_WORDS = 300;

/** Returns the error with its text on one line, without control and format characters, and cut off. */
export const providerError = (code: string, words: string | null | undefined): ProviderError => ({
  code: plain(code, LONGEST_CODE),
  words: plain(words ?? '', LONGEST_WORDS) || null,
});

function plain(text: string, longest: number): string {
  const line = text
    .slice(0, 4 * longest)
    .replace(/[\p{C}\p{Z}\s]+/gu, ' ')
    .trim();
  return line.length > longest ? `${line.slice(0, longest - 1).trimEnd()}…` : line;
}

const CODES: Record<Exclude<ProviderFailure, 'provider_error'>, readonly string[]> = {
  refused: ['access_denied', 'AuthnFailed', 'RequestDenied', 'UnknownPrincipal'],
  interaction_required: [
    'interaction_required',
    'login_required',
    'consent_required',
    'account_selection_required',
    'NoPassive',
  ],
  provider_unavailable: ['temporarily_unavailable', 'server_error'],
  provider_settings: [
    'invalid_request',
    'invalid_client',
    'invalid_scope',
    'invalid_request_uri',
    'invalid_request_object',
    'request_not_supported',
    'request_uri_not_supported',
    'registration_not_supported',
    'unauthorized_client',
    'unsupported_response_type',
    'unmet_authentication_requirements',
    'Requester',
    'VersionMismatch',
    'InvalidNameIDPolicy',
    'NoAuthnContext',
    'RequestUnsupported',
    'RequestVersionDeprecated',
    'RequestVersionTooHigh',
    'RequestVersionTooLow',
    'UnsupportedBinding',
  ],
};

const FAILURE_OF = new Map(
  Object.entries(CODES).flatMap(([failure, codes]) =>
    codes.map((code) => [code, failure as ProviderFailure] as const),
  ),
);

/** Returns the kind of failure that a provider reports. */
export const failureOfProvider = ({ code }: ProviderError): ProviderFailure =>
  FAILURE_OF.get(code) ?? 'provider_error';
