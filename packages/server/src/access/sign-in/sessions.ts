import { parseCookies } from 'better-auth/cookies';
import type { FastifyRequest } from 'fastify';
import { type NewEvent, recordEvents } from '../../events/record.ts';
import type { Actor } from '../../identity/cause.ts';
import type { Role, Scope } from '../../identity/principal.ts';
import { type Principal, unauthenticated } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { tokenHash } from './adapter.ts';
import { MAX_AGE_SECONDS } from './auth.ts';
import * as queries from './queries.ts';

export type { SignIn } from './queries.ts';

/** What a signed-in person may ask of the API; what of it, their role decides further (governance "Roles"). */
const SCOPES_OF: Record<Role, readonly Scope[]> = {
  owner: ['bridge', 'events', 'read', 'govern', 'session'],
  admin: ['bridge', 'events', 'read', 'govern', 'session'],
  auditor: ['events', 'read', 'govern', 'session'],
  member: ['read', 'govern', 'session'],
};

export const cookieName = (origin: string) =>
  `${origin.startsWith('https:') ? '__Secure-' : ''}gatehouse.session_token`;

/** The secret in a session's cookie. better-auth signs it: what follows the last dot is the signature. */
export function tokenOf(cookie: string | undefined): string | undefined {
  const value = decodeURIComponent(cookie ?? '');
  const end = value.lastIndexOf('.');
  return end > 0 ? value.slice(0, end) : undefined;
}

/**
 * Answers who is signed in, by the cookie. Undefined where there is no cookie; throws the one 401 (D6) where it
 * stands for nobody any more. A session in use goes on for `idleHours`, and for a week at most.
 */
export function sessionAuthentication(db: Db, idleHours: number) {
  return async (request: FastifyRequest, origin: string): Promise<Principal | undefined> => {
    const cookies = parseCookies(request.headers.cookie ?? '');
    const cookie = cookies.get(cookieName(origin));
    if (cookie === undefined) return undefined;
    const token = readToken(cookie);
    const row = token === undefined ? undefined : await queries.findLiveSession(db, tokenHash(token));
    if (row === undefined) throw unauthenticated();
    if (row.stale) await queries.touchSession(db, row.org_id, row.session_id, idleHours, MAX_AGE_SECONDS);
    return {
      orgId: row.org_id,
      orgSlug: row.org_slug,
      keyId: null,
      sessionId: row.session_id,
      userId: row.user_id,
      role: row.role,
      scopes: new Set(SCOPES_OF[row.role]),
      apps: 'all',
    };
  };
}

/** Undefined for what is not even percent-encoded rightly. */
function readToken(cookie: string): string | undefined {
  try {
    return tokenOf(cookie);
  } catch {
    return undefined;
  }
}

/** Who signs in or out, as events say it. */
export interface Visitor {
  ip: string;
  userAgent: string | undefined;
}

/** Every factor was shown: the session becomes one, together with its event (session.login.succeeded). */
export async function begin(
  db: Db,
  orgId: string,
  token: string,
  signIn: queries.SignIn,
  visitor: Visitor,
  idleHours: number,
): Promise<void> {
  const { method, provider, second_factor } = signIn;
  await transaction(db, async (tx) => {
    const session = await queries.beginSession(tx, orgId, tokenHash(token), signIn, idleHours);
    if (session === undefined) throw unauthenticated();
    const { id, user_id, email } = session;
    await recordEvents(tx, orgId, [
      {
        type: 'session.login.succeeded',
        actor: { type: 'user', uuid: user_id, ip: visitor.ip, user_agent: visitor.userAgent },
        subject: { type: 'platform_user', uuid: user_id },
        source: { type: 'user_action', uuid: null },
        payload: { user_id, email, session_id: id, method, provider, second_factor },
      },
    ]);
  });
}

/**
 * Runs `work`, in which better-auth gives a session that goes on another secret (as it does when a second factor is
 * added), and answers its answer. The session stays what it was.
 */
export async function carryOn<T>(
  tx: Tx,
  principal: Principal,
  work: () => Promise<{ answer: T; token: string | undefined }>,
): Promise<T> {
  const { orgId, sessionId } = principal;
  const before = (await list(tx, principal)).find(({ id }) => id === sessionId);
  const { answer, token } = await work();
  if (before !== undefined && token !== undefined) {
    await queries.continueSession(tx, orgId, tokenHash(token), before);
  }
  return answer;
}

export const list = (db: Db, { orgId, userId }: Principal): Promise<queries.Session[]> =>
  queries.listSessions(db, orgId, userId);

/** Ends one session of the person's own. 404 where there is none such. */
export async function end(db: Db, principal: Principal, actor: Actor, sessionId: string): Promise<void> {
  const { orgId, userId } = principal;
  await transaction(db, async (tx) => {
    const ended = await queries.deleteSessions(tx, orgId, [userId], { only: sessionId });
    if (ended.length === 0) throw notFound('Session');
    await recordEvents(tx, orgId, ended.map(loggedOut(actor)));
  });
}

/** Ends a person's sessions, but for `kept`. Answers the events, which the caller records last. */
export async function endAll(
  tx: Tx,
  orgId: string,
  userId: string,
  actor: Actor,
  kept: string | null = null,
): Promise<NewEvent[]> {
  return (await queries.deleteSessions(tx, orgId, [userId], { kept })).map(loggedOut(actor));
}

const loggedOut =
  (actor: Actor) =>
  ({ id, user_id, email, method }: queries.EndedSession): NewEvent => ({
    type: 'session.logout',
    actor,
    subject: { type: 'platform_user', uuid: user_id },
    source: { type: 'user_action', uuid: null },
    payload: { user_id, email, session_id: id, ...(method === null ? {} : { method }) },
  });

/** Nobody who left is signed in (and does not find an old session again on their return). */
export async function endSessionsOfLeavers(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const leavers = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (leavers.length > 0) await queries.deleteSessions(tx, orgId, leavers);
}

const EXPIRED_AT_ONCE = 500;

/** For a job: session.expired of those whose time is over, each once, and what nobody can use any more. */
export async function expireSessions(db: Db, windowSeconds: number): Promise<void> {
  for (const orgId of await queries.organizationsWithExpired(db)) {
    let found: number;
    do {
      found = await transaction(db, async (tx) => {
        const expired = await queries.deleteExpired(tx, orgId, EXPIRED_AT_ONCE);
        await recordEvents(
          tx,
          orgId,
          expired.filter(({ signed_in_at }) => signed_in_at !== null).map(expiry),
        );
        return expired.length;
      });
    } while (found === EXPIRED_AT_ONCE);
  }
  await queries.sweep(db, windowSeconds);
}

const expiry = ({
  id,
  user_id,
  email,
  method,
  signed_in_at,
  expires_at,
}: queries.EndedSession): NewEvent => ({
  type: 'session.expired',
  actor: { type: 'system', uuid: null },
  subject: { type: 'platform_user', uuid: user_id },
  source: { type: 'system', uuid: null },
  payload: {
    user_id,
    email,
    session_id: id,
    ...(method === null ? {} : { method }),
    started_at: signed_in_at.toISOString(),
    expired_at: expires_at.toISOString(),
  },
});
