import { transaction, within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { findIdentity, type PersonIdentity } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import type { SignInContext } from '../auth/context.ts';
import { MAX_AGE_SECONDS, tokenHash } from '../auth/session-token.ts';
import { type AuthResponse, newToken, tokenInCookie } from '../visit/auth-response.ts';
import { cookieName, cookiesOf, removeCookie, setCookie, valueIn } from '../visit/cookies.ts';
import { sessionCookieName, type Visit } from '../visit/visit.ts';
import * as queries from './queries/sessions.ts';
import { loggedIn, loggedOut, startSession } from './sessions.ts';

/**
 * A sign-in through a provider that waits for its person, because somebody else is signed in in this browser: another tab may
 * have signed them in since the sign-in was started. Its session is not valid yet, and has a cookie of its own.
 */

const SECONDS = 10 * 60;

const waitingName = (origin: string) => cookieName(origin, 'waiting_session');

function tokenOf(visit: Visit, name: string): string | undefined {
  const value = cookiesOf(visit).find((cookie) => cookie.name === name)?.value;
  try {
    return value === undefined ? undefined : tokenInCookie(value);
  } catch {
    return undefined;
  }
}

/** Returns the session of this browser, if it is still valid. */
export async function currentSession(
  { db }: Pick<SignInContext, 'db'>,
  visit: Visit,
): Promise<queries.LiveSession | undefined> {
  const token = tokenOf(visit, sessionCookieName(visit.origin));
  const orgId = visit.organization.id;
  return token === undefined ? undefined : queries.findLiveSession(db, orgId, tokenHash(token));
}

export type Settled = { userId: string; cookies: string[]; state: 'signed_in' | 'asks' | 'unknown' };

/**
 * Signs in the person of a session that better-auth has created. If somebody else is signed in, the session waits instead
 * (`asks`), also if the browser withholds its cookies, so that nobody knows (`unknown`). Returns undefined if there is no session.
 */
export async function settle(
  context: SignInContext,
  visit: Visit,
  result: AuthResponse,
  proof: queries.SessionProof,
): Promise<Settled | undefined> {
  const db = within(context.db, visit.organization.id);
  const token = await newToken(result, visit.origin);
  const userId = token === undefined ? undefined : await queries.findPersonOfNew(db, tokenHash(token));
  if (token === undefined || userId === undefined) return undefined;
  const current = visit.withholdsSession === true ? undefined : await currentSession(context, visit);
  if (visit.withholdsSession !== true && (current === undefined || current.user_id === userId)) {
    await startSession(context, visit, result, proof);
    return { userId, cookies: result.cookies, state: 'signed_in' };
  }
  await queries.keepWaiting(db, tokenHash(token), proof, SECONDS);
  const value = valueIn(result.cookies, sessionCookieName(visit.origin)) ?? '';
  const cookie = setCookie(visit, { name: waitingName(visit.origin), value }, { seconds: SECONDS });
  return { userId, cookies: [cookie], state: current === undefined ? 'unknown' : 'asks' };
}

type Person = Pick<PersonIdentity, 'email' | 'first_name' | 'last_name' | 'username'>;

/** Returns who is signed in, and whose sign-in waits. Throws 404 if none waits. */
export async function getWaiting(
  { db }: SignInContext,
  visit: Visit,
): Promise<{ person: Person; signed_in: Person | null }> {
  const own = within(db, visit.organization.id);
  const token = tokenOf(visit, waitingName(visit.origin));
  const userId = token === undefined ? undefined : await queries.findPersonOfNew(own, tokenHash(token));
  const person = userId === undefined ? undefined : await findIdentity(own, userId);
  if (person === undefined) throw nothingWaits();
  const current = await currentSession({ db }, visit);
  const signedIn = current === undefined ? undefined : await findIdentity(own, current.user_id);
  return { person, signed_in: signedIn ?? null };
}

/**
 * Signs in the person whose sign-in waits, and ends the session that theirs replaces. Returns the cookies. Throws 404 if none
 * waits.
 */
export async function continueWaiting({ db, idleHours }: SignInContext, visit: Visit): Promise<string[]> {
  const name = waitingName(visit.origin);
  const value = cookiesOf(visit).find((cookie) => cookie.name === name)?.value ?? '';
  const token = tokenOf(visit, name);
  if (token === undefined) throw nothingWaits();
  const before = await currentSession({ db }, visit);
  await transaction(within(db, visit.organization.id), async (tx) => {
    const session = await queries.startWaiting(tx, tokenHash(token), idleHours);
    if (session === undefined) throw nothingWaits();
    const { ip, userAgent } = visit;
    const ended =
      before === undefined
        ? []
        : await queries.deleteSessions(tx, [before.user_id], { only: before.session_id });
    const actorOf = (uuid: string) => ({ type: 'user' as const, uuid, ip, user_agent: userAgent });
    await recordEvents(tx, [
      ...ended.map((one) => loggedOut(actorOf(one.user_id))(one)),
      loggedIn(visit, session),
    ]);
  });
  const session = { name: sessionCookieName(visit.origin), value };
  return [setCookie(visit, session, { seconds: MAX_AGE_SECONDS }), removeCookie(visit, name)];
}

/** Discards the sign-in that waits. The person who is signed in stays signed in. */
export async function discardWaiting({ db }: SignInContext, visit: Visit): Promise<string[]> {
  const name = waitingName(visit.origin);
  const token = tokenOf(visit, name);
  if (token !== undefined) await queries.discardSession(within(db, visit.organization.id), tokenHash(token));
  return [removeCookie(visit, name)];
}

/** Continues a sign-in that waits only because the browser withheld its cookies. Returns undefined if somebody else is signed in. */
export async function continueUnlessAnother(
  context: SignInContext,
  visit: Visit,
): Promise<string[] | undefined> {
  const db = within(context.db, visit.organization.id);
  const token = tokenOf(visit, waitingName(visit.origin));
  const userId = token === undefined ? undefined : await queries.findPersonOfNew(db, tokenHash(token));
  if (userId === undefined) throw nothingWaits();
  const current = await currentSession(context, visit);
  return current === undefined || current.user_id === userId ? continueWaiting(context, visit) : undefined;
}

const nothingWaits = () => notFound('Waiting sign-in');
