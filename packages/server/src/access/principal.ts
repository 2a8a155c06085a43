import type { FastifyRequest } from 'fastify';
import { DomainError, forbidden } from '../platform/errors.ts';
import type { Access } from '../platform/http/server.ts';

export const SCOPES = ['bridge', 'events', 'read', 'govern'] as const;
/** What a key may carry, and `session`: what only somebody who is signed in may do. */
export type Scope = (typeof SCOPES)[number] | 'session';

export type Role = 'owner' | 'admin' | 'auditor' | 'member';

/** Who is calling: the person, and the key that acts for them where there is one (D8). */
export interface Principal {
  orgId: string;
  orgSlug: string;
  /** Null for a signed-in person. */
  keyId: string | null;
  /** Null for a key. */
  sessionId: string | null;
  userId: string;
  role: Role;
  scopes: ReadonlySet<Scope>;
  /** The apps that a listed key may touch (D7). */
  apps: 'all' | ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

/** Throws 403 where the key lacks the scope or the person the role that a route asks for (D8, governance "Roles"). */
export function authorize(principal: Principal, access: Access | undefined) {
  if (access === undefined || access === 'public') return;
  if (!principal.scopes.has(access.scope as Scope)) {
    if (principal.keyId === null) throw forbidden(`The role ${principal.role} may not do this.`);
    if (access.scope === 'session') throw forbidden('This is for people who are signed in, not for keys.');
    throw forbidden(`This key does not have the scope ${access.scope}.`);
  }
  if (access.roles !== undefined && !access.roles.includes(principal.role)) {
    throw forbidden(`This needs the role ${access.roles.join(' or ')}.`);
  }
}

/** `appId`: in either case, as a query or a body may give it. */
export const mayTouchApp = ({ apps }: Principal, appId: string) =>
  apps === 'all' || apps.has(appId.toLowerCase());

/** Throws 403 for a key that is for listed apps only (D7). */
export function requireAllApps({ apps }: Principal, what: string) {
  if (apps !== 'all') throw forbidden(`This key is for listed apps; ${what} needs a key for all apps.`);
}

/** The person behind a request, as events name them (contract 2.7). */
export const actorOf = ({ principal, ip, headers }: FastifyRequest) => ({
  type: 'user' as const,
  uuid: principal.userId,
  ip,
  ...(headers['user-agent'] === undefined ? {} : { user_agent: headers['user-agent'].slice(0, 512) }),
});

/** How the request came, as events name it: through a key, or from somebody who is signed in. */
export const sourceOf = ({ keyId }: Principal) =>
  keyId === null ? { type: 'user_action' as const, uuid: null } : { type: 'api' as const, uuid: keyId };

export type Actor = {
  type: 'user' | 'system' | 'service' | 'platform_admin';
  uuid: string | null;
  ip?: string;
  user_agent?: string;
};

/** Missing, malformed, unknown, revoked and expired keys are told apart by nobody (D6). */
export const unauthenticated = () => new DomainError('unauthenticated', 'Missing or invalid API key.');
