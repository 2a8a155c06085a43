import { createHash } from 'node:crypto';
import { connectionOf, listen, type OrgDb, raise } from '#kit/database.ts';
import { Bell } from '#kit/loops/bell.ts';
import { outside } from '#kit/place.ts';
import {
  type Cookie,
  cookieName,
  cookiesOf,
  isSecure,
  removeCookie,
  setCookie,
  valueIn,
} from '../visit/cookies.ts';
import { headersOf, type Visit } from '../visit/visit.ts';
import * as queries from './queries/sso-starts.ts';

/**
 * The starts of sign-ins through providers. Each has a cookie of its own, so that several tabs of one browser can start and
 * finish sign-ins in any order. better-auth knows one cookie for all of them, which it gets under its own name.
 */

/** A browser keeps so many unfinished starts. A further one removes the oldest. */
export const MOST_STARTS = 16;
const START_SECONDS = 10 * 60;
/** A response that takes longer has ended with its process. */
const TAKEN_SECONDS = 60;

/** The name that better-auth gives to the cookie with the state of OpenID Connect, or with the relay state of SAML. */
export type StateName = 'state' | 'relay_state';
export const STATE_OF = { oidc: 'state', saml: 'relay_state' } as const;

/** A start as its browser knows it. */
export type StartCookie = Cookie & { state: StateName };

/** The part of a start that Gatehouse keeps. */
export interface Start {
  provider: string;
  /** The value that binds the provider's response to the browser. */
  state: string;
  /** The id of the SAML request. Null with OpenID Connect. */
  request: string | null;
}

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
/** The name of a start in the database. A provider cannot finish a start at another one. */
const keyOf = ({ provider, state }: Pick<Start, 'provider' | 'state'>) => digest(`${provider} ${state}`);
const describe = ({ request }: Start, again: boolean) => `${again ? 'again' : 'plain'} ${request ?? ''}`;

/** Stores a start. `again`: the provider was asked to authenticate the person again. */
export const rememberStart = (db: OrgDb, start: Start, again: boolean): Promise<void> =>
  queries.insertStart(db, keyOf(start), describe(start, again), START_SECONDS);

/**
 * Takes a start, which works once. Returns undefined if there is none, or if it has expired or sent another request. The caller ends with
 * `rememberFinish` or `endTaken`.
 */
export async function takeStart(db: OrgDb, start: Start): Promise<{ again: boolean } | undefined> {
  const values = [describe(start, true), describe(start, false)];
  const value = await queries.takeStart(db, keyOf(start), values, TAKEN_SECONDS);
  return value === undefined ? undefined : { again: value === values[0] };
}

/** Ends a start that its response has taken without signing anybody in. */
export async function endTaken(db: OrgDb, start: Pick<Start, 'provider' | 'state'>): Promise<void> {
  await queries.deleteTaken(db, keyOf(start));
  raise(db, 'sign_ins');
}

export const hasStart = (db: OrgDb, start: Pick<Start, 'provider' | 'state'>): Promise<boolean> =>
  queries.hasStart(db, keyOf(start));

export interface Finish {
  userId: string;
  location: string;
}

/** Remembers whom a start has signed in, for the same response if it arrives again. */
export async function rememberFinish(
  db: OrgDb,
  start: Pick<Start, 'provider' | 'state'>,
  { userId, location }: Finish,
): Promise<void> {
  await queries.finishTaken(db, keyOf(start), `${userId} ${location}`, START_SECONDS);
  raise(db, 'sign_ins');
}

export async function findFinish(
  db: OrgDb,
  start: Pick<Start, 'provider' | 'state'>,
): Promise<(Finish & { key: string }) | undefined> {
  const key = keyOf(start);
  const finish = await findFinishByKey(db, key);
  return finish && { ...finish, key };
}

/**
 * A copy of a response on the same node hears of the end of the other one. One on another node looks as often as this. A provider gets 10
 * seconds, so no copy waits longer.
 */
export const patience = { everyMs: 500, longestMs: 10_000 };

/**
 * Waits until another copy of a response, which has taken the start, has ended. Returns the key of the finish, or undefined if the copy
 * signed nobody in or no copy has taken the start.
 */
export async function finishOfCopy(
  db: OrgDb,
  start: Pick<Start, 'provider' | 'state'>,
): Promise<string | undefined> {
  const key = keyOf(start);
  const ended = new Bell();
  const deafen = listen(connectionOf(db), (signal) => {
    if (signal === 'sign_ins') ended.ring();
  });
  const stop = AbortSignal.timeout(patience.longestMs);
  const look = async () => {
    for (let seen = ended.rings; ; seen = ended.rings) {
      const response = await queries.findResponse(db, key);
      if (response !== 'taken' || stop.aborted) return response;
      if (ended.rings === seen) await outside(() => ended.next(patience.everyMs, stop));
    }
  };
  try {
    return (await look()) === 'finished' ? key : undefined;
  } finally {
    deafen();
  }
}

export async function findFinishByKey(db: OrgDb, key: string): Promise<Finish | undefined> {
  const value = await queries.findFinish(db, key);
  const at = value?.indexOf(' ') ?? 0;
  return value === undefined ? undefined : { userId: value.slice(0, at), location: value.slice(at + 1) };
}

/** The time of the start comes first, so that the oldest ones can be found. */
const PATTERN = /^(?:__Secure-)?gatehouse\.start\.([\da-z]{1,12})\.([\w-]{43})\.(state|relay_state)$/;

/**
 * Returns the Set-Cookie headers of a start: its cookie instead of better-auth's, and the removal of the oldest starts beyond the
 * limit.
 */
export function cookiesOfStart(visit: Visit, name: StateName, state: string, given: string[]): string[] {
  const value = valueIn(given, cookieName(visit.origin, name));
  if (value === undefined) throw new Error(`better-auth set no cookie for the ${name}.`);
  const seconds = Math.floor(Date.now() / 1000).toString(36);
  const own = cookieName(visit.origin, `start.${seconds}.${digest(state)}.${name}`);
  const life = { seconds: START_SECONDS, crossSite: name === 'relay_state' };
  const known = startsIn(visit).sort((one, other) => one.started - other.started);
  const forgotten = known.slice(0, Math.max(0, known.length + 1 - MOST_STARTS));
  return [setCookie(visit, { name: own, value }, life), ...forgotten.map((one) => removalOf(visit, one))];
}

const startsIn = (visit: Visit): (StartCookie & { started: number; key: string })[] =>
  cookiesOf(visit).flatMap(({ name, value }) => {
    const [, started = '', key = '', state] = PATTERN.exec(name) ?? [];
    return state === undefined
      ? []
      : [{ name, value, state: state as StateName, key, started: Number.parseInt(started, 36) }];
  });

/** Returns the start with this state that this browser has, or undefined. */
export function findStartCookie(visit: Visit, name: StateName, state: string): StartCookie | undefined {
  const key = digest(state);
  return startsIn(visit).find((start) => start.state === name && start.key === key);
}

/** Returns the Set-Cookie header after which the browser no longer has a start. */
export const removalOf = (visit: Visit, { name, state }: StartCookie): string =>
  removeCookie(visit, name, { crossSite: state === 'relay_state' });

/** Returns the headers that better-auth gets to finish a start: its own cookie, and no session. */
export function headersToFinish(visit: Visit, start: StartCookie | undefined): Headers {
  const cookie = start && `${cookieName(visit.origin, start.state)}=${start.value}`;
  return headersOf({ ...visit, cookie });
}

/** Whether a SAML response must come with the cookie of its start. Browsers send it with a provider's form over https only. */
export const isBoundToBrowser = ({ origin }: Visit) => isSecure(origin);
