import { createHmac } from 'node:crypto';
import { type Db, type OrgDb, transaction, within } from '#kit/database.ts';
import { isEmail } from '#kit/email.ts';
import { DomainError } from '#kit/errors.ts';
import { foldedEmail, SYSTEM } from '#kit/identity.ts';
import { canonicalIp, networkOf } from '#kit/ip.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { signInRefusals } from '../sentences.ts';
import * as queries from './queries/attempts.ts';
import { findByEmail } from './queries/people.ts';
import type { Visit } from './visit.ts';

/** This many failed sign-ins from one address within the window block the address for as long as the window. */
export const MAX_FAILURES = 10;
/**
 * This many wrong passwords for one email address, from any addresses, block its password for as long as the window.
 * Wrong codes are counted separately and block only codes. Passkeys and providers still work: their secrets cannot be
 * guessed, so they are not counted.
 */
export const MAX_ACCOUNT_FAILURES = 20;
export const WINDOW_SECONDS = 15 * 60;
const RETRY_SECONDS = 5;

const REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden']);

/**
 * The methods whose secrets can be guessed. Only their failures count toward a block. Signatures of passkeys and
 * providers cannot be guessed, and any site could make its visitors' browsers send invalid ones to get their address
 * blocked.
 */
const GUESSABLE: ReadonlySet<string> = new Set(['password', 'totp', 'backup_code', 'link']);

/** An attempt to verify a factor. */
export interface Attempt {
  method: string;
  /** The name that was entered, or null if the method has none. */
  identifier: string | null;
}

/**
 * The account counters of the methods that have one. Nobody can enter codes without the password or a session, and a
 * stranger who guesses passwords must not block codes.
 */
const ACCOUNT_COUNTERS: Partial<Record<string, string>> = {
  password: 'account',
  totp: 'code',
  backup_code: 'code',
};

/** A counter of failed attempts, and how many it has, including this one. */
interface Counted extends Counter {
  failures: number;
}

interface Counter {
  name: string;
  limit: number;
  blocked: typeof signInRefusals.address_throttled;
}

/**
 * Runs an attempt to verify a factor. The attempt counts as failed while it runs, so that concurrent guesses cannot
 * exceed the limits. Records `session.login.failed` if it is refused, and blocks the address at the last permitted
 * failure (`session.ip_blocked`). Throws `throttled` if the address or the account is blocked. An email address that
 * nobody has is counted like any other, so that the response does not reveal who has an account.
 */
export async function attemptFactor<T>(
  db: Db,
  visit: Visit,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  const orgId = visit.organization.id;
  const counted = await countAsFailed(db, visit, attempt);
  try {
    const result = await work();
    await uncount(within(db, orgId), counted);
    return result;
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.has(error.code))
      await recordFailure(db, visit, attempt, counted, error.message);
    else await uncount(within(db, orgId), counted);
    throw error;
  }
}

/** Counts the attempt as failed, on all of its counters or on none. Failures of unguessable methods do not count. */
async function countAsFailed(db: Db, visit: Visit, attempt: Attempt): Promise<Counted[]> {
  const orgId = visit.organization.id;
  const [address, ...others] = countersOf(visit, attempt);
  if (!GUESSABLE.has(attempt.method)) {
    const seconds = await queries.secondsBlocked(within(db, orgId), address.name);
    if (seconds !== null) throw blocked(address, seconds);
    return [];
  }
  const counted: Counted[] = [];
  for (const counter of [address, ...others]) {
    const { failures, blocked_for } = await queries.countAttempt(
      within(db, orgId),
      counter.name,
      WINDOW_SECONDS,
    );
    if (blocked_for === null) counted.push({ ...counter, failures });
    if (blocked_for === null && failures <= counter.limit) continue;
    // This attempt does not run, so it does not count: either the counter is blocked, or as many attempts as may fail
    // are running at this moment.
    await uncount(within(db, orgId), counted);
    throw blocked(counter, blocked_for ?? RETRY_SECONDS);
  }
  return counted;
}

function countersOf({ organization, ip }: Visit, { method, identifier }: Attempt): [Counter, ...Counter[]] {
  const address = {
    name: `address ${networkOf(ip)}`,
    limit: MAX_FAILURES,
    blocked: signInRefusals.address_throttled,
  };
  const kind = ACCOUNT_COUNTERS[method];
  if (kind === undefined || identifier === null) return [address];
  // The name may be a password in the wrong field: only a keyed hash of it is stored.
  const hash = createHmac('sha256', organization.sign_in_secret)
    .update(foldedEmail(identifier))
    .digest('hex');
  return [
    address,
    { name: `${kind} ${hash}`, limit: MAX_ACCOUNT_FAILURES, blocked: signInRefusals.email_throttled },
  ];
}

async function uncount(db: OrgDb, counted: Counted[]) {
  for (const { name } of counted) await queries.uncountAttempt(db, name);
}

const blocked = (counter: Counter, seconds: number) =>
  counter.blocked({ seconds }, { retryAfter: Math.max(1, seconds) });

async function recordFailure(
  db: Db,
  visit: Visit,
  { method, identifier }: Attempt,
  [byAddress, byAccount]: Counted[],
  reason: string,
) {
  const orgId = visit.organization.id;
  const ip = canonicalIp(visit.ip);
  const user_agent = visit.userAgent;
  const person = identifier === null ? undefined : await findByEmail(within(db, orgId), identifier);
  const failures = byAddress?.failures;
  const failed: NewEvent = {
    type: 'session.login.failed',
    // The actor is known only if the name belongs to a person (D44).
    actor: { ...(person === undefined ? SYSTEM : { type: 'user', uuid: person.id }), ip, user_agent },
    subject:
      person === undefined ? { type: 'system', uuid: orgId } : { type: 'platform_user', uuid: person.id },
    source: { type: 'user_action', uuid: null },
    payload: {
      identifier: loggedIdentifier(identifier, person !== undefined),
      reason,
      method,
      user_id: person?.id ?? null,
      ...(failures === undefined ? {} : { failures }),
    },
  };
  await transaction(within(db, orgId), async (tx) => {
    if (isLast(byAccount)) await queries.blockCounter(tx, byAccount.name, WINDOW_SECONDS);
    const until = isLast(byAddress)
      ? await queries.blockCounter(tx, byAddress.name, WINDOW_SECONDS)
      : undefined;
    await recordEvents(tx, [
      failed,
      ...(failures === undefined || until === undefined
        ? []
        : [ipBlocked(orgId, { ip, user_agent }, failures, until)]),
    ]);
  });
}

const isLast = (counted: Counted | undefined): counted is Counted =>
  counted !== undefined && counted.failures >= counted.limit;

const ipBlocked = (
  orgId: string,
  from: { ip: string; user_agent: string | undefined },
  failures: number,
  until: Date,
): NewEvent => ({
  type: 'session.ip_blocked',
  actor: { ...SYSTEM, ...from },
  subject: { type: 'system', uuid: orgId },
  source: { type: 'system', uuid: null },
  payload: {
    ip: from.ip,
    failures,
    window_seconds: WINDOW_SECONDS,
    blocked_until: until.toISOString(),
  },
});

/** Keeps a password that was typed into the wrong field out of the log: only email addresses and known names enter. */
function loggedIdentifier(identifier: string | null, isKnown: boolean): string {
  if (identifier === null) return '';
  const isAddress = isEmail(identifier) && /\.[a-z]{2,}$/i.test(identifier);
  return isKnown || isAddress ? identifier.slice(0, 254) : '(not an email address)';
}
