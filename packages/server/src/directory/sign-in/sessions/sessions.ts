import { type OrgTx, transaction, within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Actor, type Call, type CallTx, type PersonIdentity, unauthenticated } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import type { SignInContext } from '../auth/context.ts';
import { tokenHash } from '../auth/session-token.ts';
import { type AuthResponse, newToken } from '../visit/auth-response.ts';
import type { Visit } from '../visit/visit.ts';
import type { SignInDetails } from './method.ts';
import { requireMayOversee } from './permission.ts';
import * as queries from './queries/sessions.ts';

/**
 * Starts the session that better-auth created, once all factors are verified, and records `session.login.succeeded`.
 * Returns false if better-auth has created no session yet, since a second factor is missing.
 */
export async function startSession(
  { db, idleHours }: SignInContext,
  visit: Visit,
  result: AuthResponse,
  proof: SignInDetails & Partial<queries.SessionProof>,
): Promise<boolean> {
  const token = await newToken(result, visit.origin);
  if (token === undefined) return false;
  const full = { providerTime: null, askedAgain: false, ...proof };
  await transaction(within(db, visit.organization.id), async (tx) => {
    const session = await queries.startSession(tx, tokenHash(token), full, idleHours);
    if (session === undefined) throw unauthenticated();
    await recordEvents(tx, [loggedIn(visit, session)]);
  });
  return true;
}

/** The `session.login.succeeded` event. */
export const loggedIn = ({ ip, userAgent }: Visit, session: queries.StartedSession): NewEvent => {
  const { id, user_id, email, method, provider, second_factor } = session;
  return {
    type: 'session.login.succeeded',
    actor: { type: 'user', uuid: user_id, ip, user_agent: userAgent },
    subject: { type: 'platform_user', uuid: user_id },
    source: { type: 'user_action', uuid: null },
    payload: { user_id, email, session_id: id, method, provider, second_factor },
  };
};

/**
 * Runs `work`, during which better-auth may replace the caller's session (it does when a second factor is added or
 * removed). The new session keeps the id and history of the old one.
 */
export async function keepSession(
  tx: CallTx,
  origin: string,
  work: () => Promise<AuthResponse>,
): Promise<AuthResponse> {
  const before = await queries.findSession(tx, tx.principal.sessionId as string);
  const result = await work();
  const token = await newToken(result, origin);
  if (before !== undefined && token !== undefined) {
    await queries.continueSession(tx, tokenHash(token), before);
  }
  return result;
}

/** Lists the caller's own sessions. */
export async function listSessions(call: Call): Promise<(queries.Session & { current: boolean })[]> {
  const sessions = await queries.listSessions(call, call.principal.userId);
  return sessions.map((session) => ({ ...session, current: session.id === call.principal.sessionId }));
}

/** Ends one of the caller's own sessions. Throws 404 if they have no such session. */
export async function endSession(call: Call, sessionId: string): Promise<void> {
  await transaction(call, async (tx) => {
    const ended = await queries.deleteSessions(tx, [call.principal.userId], { only: sessionId });
    if (ended.length === 0) throw notFound('Session');
    await recordEvents(tx, ended.map(loggedOut(call.cause.actor)));
  });
}

/** Ends the caller's current session. Returns the cookie that removes it from the browser. */
export async function signOut({ authFor }: SignInContext, visit: Visit, call: Call): Promise<string> {
  await endSession(call, call.principal.sessionId as string);
  const { authCookies } = await (await authFor(visit)).$context;
  const { name, attributes } = authCookies.sessionToken;
  return `${name}=; Path=${attributes.path}; Max-Age=0; HttpOnly; SameSite=Lax${attributes.secure ? '; Secure' : ''}`;
}

/** Ends all sessions of a person. Throws 403 if an administrator tries it with an owner. */
export async function endSessionsOf(call: Call, person: PersonIdentity): Promise<void> {
  requireMayOversee(call.principal, person);
  await transaction(call, async (tx) => {
    await recordEvents(tx, await deleteSessions(tx, person.id, call.cause.actor));
  });
}

/** Deletes a person's sessions except `except`. Returns their events, which the caller records last. */
export async function deleteSessions(
  tx: OrgTx,
  userId: string,
  actor: Actor,
  except: string | null = null,
): Promise<NewEvent[]> {
  return (await queries.deleteSessions(tx, [userId], { except })).map(loggedOut(actor));
}

/**
 * Deletes the sessions of people who signed in through a provider that is no longer trusted. Returns their events, which
 * the caller records last.
 */
export const deleteProviderSessions = async (
  tx: OrgTx,
  providerId: string,
  actor: Actor,
): Promise<NewEvent[]> => (await queries.deleteProviderSessions(tx, providerId)).map(loggedOut(actor));

/** Returns a function from an ended session to its `session.logout` event. */
export const loggedOut =
  (actor: Actor) =>
  ({ id, user_id, email, method }: queries.EndedSession): NewEvent => ({
    type: 'session.logout',
    actor,
    subject: { type: 'platform_user', uuid: user_id },
    source: { type: 'user_action', uuid: null },
    payload: { user_id, email, session_id: id, ...(method === null ? {} : { method }) },
  });

/** A people hook: ends the sessions of deactivated people, who would otherwise be signed in again once reactivated. */
export async function endSessionsOfDeactivated(tx: OrgTx, events: readonly NewEvent[]): Promise<void> {
  const people = events.flatMap((event) =>
    event.type === 'user.deactivated' ? [event.payload.user_id] : [],
  );
  if (people.length > 0) await queries.deleteSessions(tx, people);
}
