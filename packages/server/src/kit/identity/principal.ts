import { refusedAt } from '../errors.ts';
import type { Access } from '../http/server.ts';
import type { Value } from '../sentences.ts';
import { accessSentences, callerRefusals, type ForAllApps, keyLimited, proofSentences } from './sentences.ts';

export const SCOPES = ['bridge', 'events', 'read', 'govern', 'scim'] as const;
export type KeyScope = (typeof SCOPES)[number];
/** The scopes of an organization's first key (D40). Identity providers get keys of their own (D50). */
export const FIRST_KEY_SCOPES = SCOPES.filter((scope) => scope !== 'scim');
/** The scopes of an API key, plus `session`: operations that only a signed-in person may call. */
export type Scope = KeyScope | 'session';

export const ROLES = ['owner', 'admin', 'auditor', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** The authenticated caller: a signed-in person, or the person for whom an API key acts (D8). */
export interface Principal {
  orgId: string;
  orgSlug: string;
  /** The calling API key. Null for a signed-in person. */
  keyId: string | null;
  /** The caller's session. Null for an API key. */
  sessionId: string | null;
  userId: string;
  role: Role;
  scopes: ReadonlySet<Scope>;
  /** The apps that the caller can access: all, or those that the API key lists (D7). */
  apps: 'all' | ReadonlySet<string>;
  /** The factor that the person's role requires and this session lacks: any second one, or a passkey. */
  missingFactor?: 'any' | 'passkey' | null;
  /** Whether a signed-in person proved who they are within the last {@link STEP_UP_MINUTES}. */
  recentlyConfirmed?: boolean;
  /** Why signing in again through the provider proves nothing recent, if that is known. */
  unproven?: Unproven | null;
  /** The person who created the API key and may hold it, if it acts for somebody else now. */
  transferredFrom?: string | null;
  /** The sign-in provider of the session, or of the session in which the API key was made. */
  provider?: string | null;
  /** The connector run that the API key belongs to. */
  runId?: string | null;
}

/** The provider does not say when it authenticated the person, or it did not do so again although it was asked to. */
export type Unproven = 'time_unknown' | 'not_asked_again';

/** A stolen session, or a stranger at an unlocked computer, must not gain power that outlasts it. */
export const STEP_UP_MINUTES = 15;

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal;
  }
}

/**
 * Throws 403 if the key lacks the scope, or the person lacks the role, that the route requires (D8). Unless the route
 * serves app-scoped keys, it also requires a key for all apps (D7).
 */
export function authorize(principal: Principal, access: Access | undefined) {
  if (access === undefined || access === 'public') return;
  if (!principal.scopes.has(access.scope as Scope)) {
    if (principal.keyId === null) throw callerRefusals.role_forbids({ role: principal.role });
    if (access.scope === 'session') throw callerRefusals.keys_cannot();
    throw callerRefusals.scope_missing({ scope: access.scope });
  }
  if (access.roles !== undefined && !access.roles.includes(principal.role)) {
    const isForOwners = access.roles.length === 1 && access.roles[0] === 'owner';
    throw isForOwners
      ? callerRefusals.owner_required()
      : callerRefusals.role_required({ roles: anyOf(access.roles) });
  }
  if (access.apps !== 'listed') requireAllApps(principal, 'this operation');
  if (access.stepUp === true) requireStepUp(principal);
  if (access.personal === true && (principal.transferredFrom ?? null) !== null)
    throw callerRefusals.transferred_key();
}

const UNPROVEN = {
  time_unknown: 'sign_in_time_unknown',
  not_asked_again: 'sign_in_not_asked_again',
} as const;

const anyOf = (roles: readonly Value[]) =>
  roles.reduce((one, other) => accessSentences.either({ one, other }));

/**
 * Throws 403 unless a signed-in caller has proved who they are in the last 15 minutes. The error's code tells the console to
 * ask for a confirmation and to repeat the request. API keys have limits of their own (D8).
 */
export function requireStepUp({ sessionId, recentlyConfirmed, unproven = null }: Principal) {
  if (sessionId === null || recentlyConfirmed === true) return;
  const why = proofSentences[unproven === null ? 'sign_in_old' : UNPROVEN[unproven]]({
    minutes: STEP_UP_MINUTES,
  });
  throw refusedAt('forbidden', '', 'confirmation_required', why);
}

/** Returns whether the caller can access an app. `appId` may be in upper case, as requests may send it. */
export const mayTouchApp = ({ apps }: Pick<Principal, 'apps'>, appId: string) =>
  apps === 'all' || apps.has(appId.toLowerCase());

/** Throws 403 for an API key that is limited to listed apps (D7). `what` completes "... requires a key for all apps". */
export function requireAllApps({ apps }: Principal, what: ForAllApps) {
  if (apps !== 'all') throw keyLimited(what);
}

/** All invalid keys (missing, malformed, unknown, revoked, expired) get the same response (D6). */
export const unauthenticated = callerRefusals.bad_key;
