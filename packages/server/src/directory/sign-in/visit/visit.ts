import { cookieName } from './cookies.ts';
import type { Organization } from './organization.ts';

/** Our own header for the caller's address as Fastify determined it (D11). Callers cannot set it. */
export const CLIENT_IP = 'x-gatehouse-client-ip';

/** A browser's request to sign in, or of a signed-in person to manage their sign-in. */
export interface Visit {
  organization: Organization;
  /** The origin under which the browser reaches this deployment. */
  origin: string;
  ip: string;
  userAgent: string | undefined;
  /** The Cookie header. */
  cookie: string | undefined;
  /** Whether another site's page may have posted a form. Browsers then send the session's cookie only after a redirect. */
  withholdsSession?: boolean;
}

export const sessionCookieName = (origin: string) => cookieName(origin, 'session_token');

/** The headers that better-auth gets: the visitor's cookies, address and browser. */
export function headersOf({ origin, ip, userAgent, cookie }: Visit): Headers {
  const headers = new Headers({ origin, [CLIENT_IP]: ip });
  if (cookie !== undefined) headers.set('cookie', cookie);
  if (userAgent !== undefined) headers.set('user-agent', userAgent);
  return headers;
}

/** The same headers without a session. A signed-in person may sign in again, also as someone else. */
export function headersWithoutSession(visit: Visit): Headers {
  const headers = headersOf(visit);
  const others = (headers.get('cookie') ?? '')
    .split(';')
    .filter((cookie) => !cookie.trim().startsWith(`${sessionCookieName(visit.origin)}=`));
  headers.set('cookie', others.join(';'));
  return headers;
}
