import { createHmac } from 'node:crypto';

/** An id token must be this fresh: a stolen one is useless afterwards. */
const LONGEST_AGE_SECONDS = 10 * 60;
const CLOCK_SKEW_SECONDS = 60;
/** A time from here on counts milliseconds: as seconds, it would lie in the year 5138. */
const EARLIEST_IN_MS = 100_000_000_000;

/**
 * Returns the nonce of the sign-in with this state. The state is used once and bound to the browser, and so is the
 * nonce that follows from it.
 */
export const nonceOf = (secret: string, state: string): string =>
  createHmac('sha256', secret).update(`oidc-nonce:${state}`).digest('base64url');

/**
 * Returns when the provider last authenticated the person (`auth_time`, OpenID Connect Core 2). Null if the provider does not say so:
 * it sends no number, or a time in the future. Some send the number as text, or count milliseconds.
 */
export function authTimeOf({ auth_time: given }: Record<string, unknown>, now: Date): Date | null {
  const number = typeof given === 'string' && /^\d{1,16}$/.test(given) ? Number(given) : given;
  if (typeof number !== 'number' || !(number > 0)) return null;
  const ms = number < EARLIEST_IN_MS ? number * 1000 : number;
  return ms <= now.getTime() + CLOCK_SKEW_SECONDS * 1000 ? new Date(ms) : null;
}

/** Why an id token is refused. Each has a sentence in sso-failure.ts. */
export type IdTokenProblem =
  | 'id_token_signature'
  | 'id_token_issuer'
  | 'id_token_audience'
  | 'id_token_party'
  | 'id_token_nonce'
  | 'id_token_expired'
  | 'id_token_early'
  | 'id_token_times';

/**
 * Returns what is wrong with the claims of an id token whose signature was verified, or undefined (OpenID Connect Core
 * 3.1.3.7). A token may have further audiences, such as other applications of the same project. It must then name us as
 * the party to which it was issued: any of its audiences could otherwise pass it on to us. An empty record, for a provider
 * that sent no id token, fails.
 */
export function idTokenProblem(
  claims: Record<string, unknown>,
  expected: { issuer: string; clientId: string; nonce: string },
  now: Date,
): IdTokenProblem | undefined {
  const { iss, aud, azp, exp, iat, nonce } = claims;
  const seconds = now.getTime() / 1000;
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (iss !== expected.issuer) return 'id_token_issuer';
  if (!audiences.includes(expected.clientId)) return 'id_token_audience';
  const needsParty = audiences.length > 1 || azp !== undefined;
  if (needsParty && azp !== expected.clientId) return 'id_token_party';
  if (nonce !== expected.nonce) return 'id_token_nonce';
  if (typeof exp !== 'number' || typeof iat !== 'number') return 'id_token_times';
  if (iat >= seconds + CLOCK_SKEW_SECONDS) return 'id_token_early';
  const isFresh = exp > seconds - CLOCK_SKEW_SECONDS && iat > seconds - LONGEST_AGE_SECONDS;
  return isFresh ? undefined : 'id_token_expired';
}

/** The problems behind the claims that jose names, the library with which better-auth verifies id tokens. */
const PROBLEM_OF_CLAIM: Record<string, IdTokenProblem> = {
  iss: 'id_token_issuer',
  aud: 'id_token_audience',
  exp: 'id_token_expired',
  nbf: 'id_token_early',
};

/**
 * Returns the problem behind the error with which the verification of an id token ended. Undefined if the keys could not
 * be read, so that nothing is known about the token.
 */
export function problemOfVerification(error: unknown): IdTokenProblem | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', claim = '' } = error as { code?: string; claim?: string };
  if (code === 'ERR_JWT_EXPIRED' || code === 'ERR_JWT_CLAIM_VALIDATION_FAILED')
    return PROBLEM_OF_CLAIM[claim] ?? 'id_token_times';
  if (/^ERR_(JWS|JWT|JOSE)_|^ERR_JWKS_(NO_MATCHING_KEY|MULTIPLE)/.test(code) && code !== 'ERR_JOSE_GENERIC')
    return 'id_token_signature';
  return error.message.includes('authorized party') ? 'id_token_party' : undefined;
}
