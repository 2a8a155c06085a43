import { DomainError, forbidden } from '../platform/errors.ts';
import type { Access } from '../platform/http/server.ts';

export const SCOPES = ['bridge', 'events', 'read', 'govern'] as const;
/** The scopes of an API key, plus `session`: operations that only a signed-in person may call. */
export type Scope = (typeof SCOPES)[number] | 'session';

export const ROLES = ['owner', 'admin', 'auditor', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The authenticated caller: a person, and the API key that acts for them if there is one (D8). */
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
  /** The apps that a key may access: all, or a list (D7). */
  apps: 'all' | ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

/** Throws 403 if the key lacks the scope, or the person lacks the role, that the route requires (D8). */
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

/** Accepts `appId` in upper or lower case, as queries and bodies may send it. */
export const mayTouchApp = ({ apps }: Principal, appId: string) =>
  apps === 'all' || apps.has(appId.toLowerCase());

/** Throws 403 for a key that is limited to listed apps (D7). */
export function requireAllApps({ apps }: Principal, what: string) {
  if (apps !== 'all') throw forbidden(`This key is for listed apps; ${what} needs a key for all apps.`);
}

/** All invalid keys (missing, malformed, unknown, revoked, expired) get the same response (D6). */
export const unauthenticated = () => new DomainError('unauthenticated', 'Missing or invalid API key.');
