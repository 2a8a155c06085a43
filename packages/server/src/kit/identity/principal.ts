import { DomainError, forbidden } from '../errors.ts';
import type { Access } from '../http/server.ts';

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
    if (principal.keyId === null) throw forbidden(`The role ${principal.role} does not allow this.`);
    if (access.scope === 'session')
      throw forbidden('API keys cannot do this. Sign in to the console instead.');
    throw forbidden(`This key does not have the scope ${access.scope}.`);
  }
  if (access.roles !== undefined && !access.roles.includes(principal.role)) {
    const isForOwners = access.roles.length === 1 && access.roles[0] === 'owner';
    throw forbidden(
      `This requires the role ${access.roles.join(' or ')}.${isForOwners ? ' Ask an owner of your organization.' : ''}`,
    );
  }
  if (access.apps !== 'listed') requireAllApps(principal, 'this operation');
  if (access.stepUp === true) requireStepUp(principal);
  if (access.personal === true && (principal.transferredFrom ?? null) !== null)
    throw forbidden(
      'This key was transferred from another person, so it cannot make requests or decisions, or create keys. Sign in, or use a key that you created.',
    );
}

const UNPROVEN: Record<Unproven, string> = {
  time_unknown: `Your sign-in provider does not say when you signed in there, so it does not show that you did within the last ${STEP_UP_MINUTES} minutes.`,
  not_asked_again: `Your sign-in provider did not ask you to sign in again, although Gatehouse requested it. You signed in there more than ${STEP_UP_MINUTES} minutes ago.`,
};
const OTHER_PROOF =
  'Confirm with a password, a one-time code or a passkey. If you have none of them, ask an administrator for a sign-in link, or to change the settings of the provider (docs/sign-in.md, "Fresh sign-in").';

/**
 * Throws 403 unless a signed-in caller has proved who they are in the last 15 minutes. The error's code tells the console to
 * ask for a confirmation and to repeat the request. API keys have limits of their own (D8).
 */
export function requireStepUp({ sessionId, recentlyConfirmed, unproven = null }: Principal) {
  if (sessionId === null || recentlyConfirmed === true) return;
  const message =
    unproven === null
      ? `You signed in more than ${STEP_UP_MINUTES} minutes ago. Confirm that it is you, then try again.`
      : `${UNPROVEN[unproven]} ${OTHER_PROOF}`;
  throw new DomainError('forbidden', message, {
    issues: [{ path: '', code: 'confirmation_required', message }],
  });
}

/** Returns whether the caller can access an app. `appId` may be in upper case, as requests may send it. */
export const mayTouchApp = ({ apps }: Pick<Principal, 'apps'>, appId: string) =>
  apps === 'all' || apps.has(appId.toLowerCase());

/** Throws 403 for an API key that is limited to listed apps (D7). `what` completes "... requires a key for all apps". */
export function requireAllApps({ apps }: Principal, what: string) {
  if (apps !== 'all')
    throw forbidden(`This key is limited to listed apps: ${what} requires a key for all apps.`);
}

/** All invalid keys (missing, malformed, unknown, revoked, expired) get the same response (D6). */
export const unauthenticated = () => new DomainError('unauthenticated', 'Missing or invalid API key.');
