import { createHmac } from 'node:crypto';

/** An id token must be this fresh: a stolen one is useless afterwards. */
const LONGEST_AGE_SECONDS = 10 * 60;
const CLOCK_SKEW_SECONDS = 60;
/** The year 9999. */
const LATEST_SECONDS = 253_402_300_800;

/**
 * Returns the nonce of the sign-in with this state. The state is used once and bound to the browser, and so is the
 * nonce that follows from it.
 */
export const nonceOf = (secret: string, state: string): string =>
  createHmac('sha256', secret).update(`oidc-nonce:${state}`).digest('base64url');

/** Returns when the provider last authenticated the person, or null if it does not say so (OpenID Connect Core 2). */
export const authTimeOf = ({ auth_time }: Record<string, unknown>): Date | null =>
  typeof auth_time === 'number' && auth_time > 0 && auth_time < LATEST_SECONDS
    ? new Date(auth_time * 1000)
    : null;

/**
 * Checks the claims of an id token whose signature was verified (OpenID Connect Core 3.1.3.7). An empty record, for a
 * provider that sent no id token, fails.
 */
export function checkIdToken(
  claims: Record<string, unknown>,
  expected: { issuer: string; clientId: string; nonce: string },
  now: Date,
): boolean {
  const { iss, aud, azp, exp, iat, nonce } = claims;
  const seconds = now.getTime() / 1000;
  const isForUs =
    (Array.isArray(aud) ? aud.length === 1 && aud[0] === expected.clientId : aud === expected.clientId) &&
    (azp === undefined || azp === expected.clientId);
  const isCurrent =
    typeof exp === 'number' &&
    exp > seconds - CLOCK_SKEW_SECONDS &&
    typeof iat === 'number' &&
    iat > seconds - LONGEST_AGE_SECONDS &&
    iat < seconds + CLOCK_SKEW_SECONDS;
  return iss === expected.issuer && isForUs && isCurrent && nonce === expected.nonce;
}
