import { parseSetCookieHeader } from 'better-auth/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, forbidden } from '../../platform/errors.ts';
import { CLIENT_IP } from './auth.ts';
import { cookieName, tokenOf } from './sessions.ts';

/** What better-auth is told of a request: its cookies, and where it really comes from. */
export function headersOf({ headers, ip }: FastifyRequest, origin: string): Headers {
  const told = new Headers({ origin, [CLIENT_IP]: ip });
  if (headers.cookie !== undefined) told.set('cookie', headers.cookie);
  if (headers['user-agent'] !== undefined) told.set('user-agent', headers['user-agent']);
  return told;
}

/** The same without a session, which somebody may have who signs in once more, perhaps as somebody else. */
export function visitorHeaders(request: FastifyRequest, origin: string): Headers {
  const told = headersOf(request, origin);
  const others = (told.get('cookie') ?? '')
    .split(';')
    .filter((cookie) => !cookie.trim().startsWith(`${cookieName(origin)}=`));
  told.set('cookie', others.join(';'));
  return told;
}

export interface Exchange {
  // biome-ignore lint/suspicious/noExplicitAny: each caller knows the answer of the endpoint that it asked.
  body: any;
  cookies: string[];
  location: string | null;
}

/**
 * What better-auth answered. Throws its refusals as ours: `throttled` for a second factor that was tried too often,
 * otherwise `refusal` (of its code), or `invalid` with better-auth's own sentence where none is given.
 */
export async function readAnswer(
  response: Response,
  refusal?: string | ((code: string) => DomainError),
): Promise<Exchange> {
  const text = await response.text();
  const body = text === '' ? null : JSON.parse(text);
  if (response.status === 429) {
    throw new DomainError('throttled', 'Too many wrong codes. Try again in 15 minutes.', { retryAfter: 900 });
  }
  // What is no registration at all it calls its own failure.
  const isFailure = response.status >= 500 && body?.code !== 'FAILED_TO_VERIFY_REGISTRATION';
  if (isFailure) throw new Error(`better-auth failed: ${body?.message ?? response.status}`);
  if (response.status >= 400) {
    if (typeof refusal === 'function') throw refusal(body?.code ?? '');
    if (refusal !== undefined) throw new DomainError('unauthenticated', refusal);
    throw new DomainError('invalid', body?.message ?? 'This was refused.');
  }
  return { body, cookies: response.headers.getSetCookie(), location: response.headers.get('location') };
}

/** The secret of the session that an answer gives, or undefined where it gives none, or takes one away. */
export function newToken({ cookies }: Exchange, origin: string): string | undefined {
  const name = cookieName(origin);
  const cookie = cookies
    .flatMap((header) => [...parseSetCookieHeader(header)])
    .findLast(([given]) => given === name)?.[1];
  return cookie === undefined || cookie['max-age'] === 0 ? undefined : tokenOf(cookie.value);
}

export const passOn = (reply: FastifyReply, { cookies }: Exchange) => {
  if (cookies.length > 0) reply.header('set-cookie', cookies);
};

/**
 * Refuses what another site's page made this browser send: a browser says where such a request comes from, and one
 * that carries a cookie must say so.
 */
export function refuseForeign({ method, headers }: FastifyRequest, origin: string, hasCookie: boolean) {
  if (method === 'GET' || method === 'HEAD') return;
  const from = headers.origin;
  if (from === undefined ? hasCookie : from !== origin) {
    throw forbidden('This request comes from another site.');
  }
}
