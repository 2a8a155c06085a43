import { type NewEvent, recordEvents } from '../../events/record.ts';
import type { Actor, Cause } from '../../identity/cause.ts';
import { identityOf } from '../../identity/person.ts';
import { type Principal, unauthenticated } from '../../identity/principal.ts';
import type { Db, Tx } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { tokenHash } from './adapter.ts';
import { type AuthResponse, newToken } from './auth-response.ts';
import type { SignInContext } from './context.ts';
import type { SignInDetails } from './method.ts';
import { requireMayManageSignIn } from './permission.ts';
import { deleteLinks } from './queries/passwords.ts';
import * as queries from './queries/sessions.ts';
import type { Visit } from './visit.ts';

/**
 * Starts the session that better-auth created, once all factors are verified, and records `session.login.succeeded`.
 * `providerTime` is when a provider last authenticated the person, and null if it does not say so. Returns false if
 * better-auth has created no session yet, since a second factor is missing.
 */
export async function startSession(
  { db, idleHours }: SignInContext,
  { organization, origin, ip, userAgent }: Visit,
  result: AuthResponse,
  details: SignInDetails,
  providerTime: Date | null = null,
): Promise<boolean> {
  const token = newToken(result, origin);
  if (token === undefined) return false;
  const { method, provider, second_factor } = details;
  await transaction(db, async (tx) => {
    const hash = tokenHash(token);
    const session = await queries.startSession(tx, organization.id, hash, details, idleHours, providerTime);
    if (session === undefined) throw unauthenticated();
    const { id, user_id, email } = session;
    await recordEvents(tx, organization.id, [
      {
        type: 'session.login.succeeded',
        actor: { type: 'user', uuid: user_id, ip, user_agent: userAgent },
        subject: { type: 'platform_user', uuid: user_id },
        source: { type: 'user_action', uuid: null },
        payload: { user_id, email, session_id: id, method, provider, second_factor },
      },
    ]);
  });
  return true;
}

/**
 * Runs `work`, during which better-auth may replace the caller's session (it does when a second factor is added or
 * removed). The new session keeps the id and history of the old one.
 */
export async function keepSession(
  tx: Tx,
  { orgId, sessionId }: Principal,
  origin: string,
  work: () => Promise<AuthResponse>,
): Promise<AuthResponse> {
  const before = await queries.findSession(tx, orgId, sessionId as string);
  const result = await work();
  const token = newToken(result, origin);
  if (before !== undefined && token !== undefined) {
    await queries.continueSession(tx, orgId, tokenHash(token), before);
  }
  return result;
}

/** Lists the caller's own sessions. */
export async function listSessions(
  db: Db,
  { orgId, userId, sessionId }: Principal,
): Promise<(queries.Session & { current: boolean })[]> {
  const sessions = await queries.listSessions(db, orgId, userId);
  return sessions.map((session) => ({ ...session, current: session.id === sessionId }));
}

/** Ends one of the caller's own sessions. Throws 404 if they have no such session. */
export async function endSession(
  db: Db,
  { orgId, userId }: Principal,
  { actor }: Cause,
  sessionId: string,
): Promise<void> {
  await transaction(db, async (tx) => {
    const ended = await queries.deleteSessions(tx, orgId, [userId], { only: sessionId });
    if (ended.length === 0) throw notFound('Session');
    await recordEvents(tx, orgId, ended.map(loggedOut(actor)));
  });
}

/** Ends the caller's current session. Returns the cookie that removes it from the browser. */
export async function signOut(
  { db, authFor }: SignInContext,
  visit: Visit,
  principal: Principal,
  cause: Cause,
): Promise<string> {
  await endSession(db, principal, cause, principal.sessionId as string);
  const { authCookies } = await authFor(visit).$context;
  const { name, attributes } = authCookies.sessionToken;
  return `${name}=; Path=${attributes.path}; Max-Age=0; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`;
}

/** Ends all sessions of a person. Throws 403 if an administrator tries it with an owner. */
export async function endSessionsOf(
  db: Db,
  principal: Principal,
  { actor }: Cause,
  userId: string,
): Promise<void> {
  const { orgId } = principal;
  const person = await identityOf(db, principal, userId);
  requireMayManageSignIn(principal, person);
  await transaction(db, async (tx) => {
    await recordEvents(tx, orgId, await deleteSessions(tx, orgId, person.id, actor));
  });
}

/** Deletes a person's sessions except `except`. Returns their events, which the caller records last. */
export async function deleteSessions(
  tx: Tx,
  orgId: string,
  userId: string,
  actor: Actor,
  except: string | null = null,
): Promise<NewEvent[]> {
  return (await queries.deleteSessions(tx, orgId, [userId], { except })).map(loggedOut(actor));
}

/**
 * Deletes the sessions of people who signed in through a provider that is no longer trusted. Returns their events, which
 * the caller records last.
 */
export const deleteProviderSessions = async (
  tx: Tx,
  orgId: string,
  providerId: string,
  actor: Actor,
): Promise<NewEvent[]> => (await queries.deleteProviderSessions(tx, orgId, providerId)).map(loggedOut(actor));

const loggedOut =
  (actor: Actor) =>
  ({ id, user_id, email, method }: queries.EndedSession): NewEvent => ({
    type: 'session.logout',
    actor,
    subject: { type: 'platform_user', uuid: user_id },
    source: { type: 'user_action', uuid: null },
    payload: { user_id, email, session_id: id, ...(method === null ? {} : { method }) },
  });

/** A people hook: ends the sessions of deactivated people, who would otherwise be signed in again once reactivated. */
export async function endSessionsOfDeactivated(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<void> {
  const people = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (people.length > 0) await queries.deleteSessions(tx, orgId, people);
}

/**
 * A people hook: deletes the sign-in links of new owners and ends their sessions, since an administrator may have created
 * the link or be signed in with it.
 */
export async function resetSignInOfNewOwners(
  tx: Tx,
  orgId: string,
  events: readonly NewEvent[],
): Promise<NewEvent[]> {
  const ended: NewEvent[] = [];
  for (const event of events) {
    if (event.type !== 'role.changed' || event.payload.to !== 'owner') continue;
    const { user_id } = event.payload;
    await deleteLinks(tx, orgId, [user_id]);
    for (const one of await deleteSessions(tx, orgId, user_id, event.actor)) ended.push(one);
  }
  return ended;
}
