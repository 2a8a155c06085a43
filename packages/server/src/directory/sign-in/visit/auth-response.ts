import { DomainError } from '#kit/errors.ts';
import { signInRefusals } from '../sentences.ts';
import { sessionCookieName } from './visit.ts';

/** A successful response of better-auth. */
export interface AuthResponse {
  // biome-ignore lint/suspicious/noExplicitAny: the body depends on the endpoint that the caller used.
  body: any;
  cookies: string[];
  location: string | null;
}

/** A second factor that was tried too often is locked for this long. */
const LOCKED_SECONDS = 900;

/**
 * Reads a response of better-auth. Throws its refusals as DomainErrors: `throttled` for a locked second factor; otherwise
 * `refusal`, which gets better-auth's error code; or `invalid` with better-auth's message by default.
 */
export async function readResponse(
  response: Response,
  refusal?: (code: string) => DomainError,
): Promise<AuthResponse> {
  const text = await response.text();
  const body = text === '' ? null : JSON.parse(text);
  if (response.status === 429) {
    throw signInRefusals.wrong_codes_throttled({
      retryAfter: LOCKED_SECONDS,
    });
  }
  // better-auth reports a malformed passkey registration as its own failure.
  const isFailure = response.status >= 500 && body?.code !== 'FAILED_TO_VERIFY_REGISTRATION';
  if (isFailure) throw new Error(`better-auth failed: ${body?.message ?? response.status}`);
  if (response.status >= 400) {
    if (refusal !== undefined) throw refusal(body?.code ?? '');
    throw body?.message === undefined
      ? signInRefusals.sign_in_request_refused()
      : new DomainError('invalid', String(body.message));
  }
  return { body, cookies: response.headers.getSetCookie(), location: response.headers.get('location') };
}

/** Returns the secret of the session that a response sets. Undefined if it sets none, or removes one. */
export async function newToken({ cookies }: AuthResponse, origin: string): Promise<string | undefined> {
  const { parseSetCookieHeader } = await import('better-auth/cookies');
  const name = sessionCookieName(origin);
  const cookie = cookies
    .flatMap((header) => [...parseSetCookieHeader(header)])
    .findLast(([given]) => given === name)?.[1];
  return cookie === undefined || cookie['max-age'] === 0 ? undefined : tokenInCookie(cookie.value);
}

/** Returns the secret in a session cookie's value. better-auth appends a signature after the last dot. */
export function tokenInCookie(value: string): string | undefined {
  const decoded = decodeURIComponent(value);
  const end = decoded.lastIndexOf('.');
  return end > 0 ? decoded.slice(0, end) : undefined;
}
