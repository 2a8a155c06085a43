import type { FastifyRequest } from 'fastify';
import { findBySecret } from '#directory/access/by-secret.ts';
import { type Db, within } from '#kit/database.ts';
import { type Principal, type Role, type Scope, unauthenticated } from '#kit/identity.ts';
import { MAX_AGE_SECONDS, tokenHash } from '../auth/session-token.ts';
import { tokenInCookie } from '../visit/auth-response.ts';
import { sessionCookieName } from '../visit/visit.ts';
import { extendSession, findLiveSession } from './queries/sessions.ts';

/** The scopes of a session. The person's role limits it further, operation by operation. */
const SCOPES_OF: Record<Role, readonly Scope[]> = {
  owner: ['bridge', 'events', 'read', 'govern', 'session'],
  admin: ['bridge', 'events', 'read', 'govern', 'session'],
  auditor: ['events', 'read', 'govern', 'session'],
  member: ['read', 'govern', 'session'],
};

/**
 * Authenticates requests by the session cookie. Returns undefined without a cookie, and throws 401 for a session that
 * does not exist or has ended (D6). A session in use is extended by `idleHours`, up to a week.
 */
export function sessionAuthentication(db: Db, idleHours: number) {
  return async (request: FastifyRequest, origin: string): Promise<Principal | undefined> => {
    const { cookie: header } = request.headers;
    if (header === undefined) return undefined;
    const { parseCookies } = await import('better-auth/cookies');
    const cookies = parseCookies(header);
    const cookie = cookies.get(sessionCookieName(origin));
    if (cookie === undefined) return undefined;
    const token = readToken(cookie);
    const { org: slug } = request.params as { org?: string };
    const session =
      token === undefined
        ? undefined
        : await findBySecret(db, slug, (one, orgId) => findLiveSession(one, orgId, tokenHash(token)));
    if (session === undefined) throw unauthenticated();
    if (session.stale)
      await extendSession(within(db, session.org_id), session.session_id, idleHours, MAX_AGE_SECONDS);
    return {
      orgId: session.org_id,
      orgSlug: session.org_slug,
      keyId: null,
      sessionId: session.session_id,
      userId: session.user_id,
      role: session.role,
      scopes: new Set(SCOPES_OF[session.role]),
      apps: 'all',
      missingFactor: session.missing_factor,
      recentlyConfirmed: session.recently_confirmed,
      unproven: session.unproven,
      provider: session.provider,
    };
  };
}

/** Returns undefined for a cookie with invalid percent-encoding. */
function readToken(cookie: string): string | undefined {
  try {
    return tokenInCookie(cookie);
  } catch {
    return undefined;
  }
}
