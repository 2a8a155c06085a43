import { canonicalIp } from '../../events/ip.ts';
import { type NewEvent, recordEvents } from '../../events/record.ts';
import { SYSTEM } from '../../identity/cause.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors.ts';
import * as queries from './queries/attempts.ts';
import { findByEmail } from './queries/people.ts';
import type { Visit } from './visit.ts';

/** This many failed sign-ins from one address within the window block the address for as long as the window. */
export const MAX_FAILURES = 10;
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
 * Runs an attempt to verify a factor. The attempt counts as failed while it runs, so that concurrent guesses cannot
 * exceed the limit. Records `session.login.failed` if it is refused, and blocks the address at the last permitted
 * failure (`session.ip_blocked`). Throws `throttled` if the address is blocked.
 */
export async function attemptFactor<T>(
  db: Db,
  visit: Visit,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  const ip = canonicalIp(visit.ip);
  const orgId = visit.organization.id;
  const failures = await countAsFailed(db, orgId, ip, attempt.method);
  const uncount = async () => {
    if (failures !== null) await queries.uncountAttempt(db, orgId, ip);
  };
  try {
    const result = await work();
    await uncount();
    return result;
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.has(error.code))
      await recordFailure(db, { ...visit, ip }, attempt, failures, error.message);
    else await uncount();
    throw error;
  }
}

/** Returns the number of failures including this attempt, or null if the method's failures do not count. */
async function countAsFailed(db: Db, orgId: string, ip: string, method: string): Promise<number | null> {
  if (!GUESSABLE.has(method)) {
    const seconds = await queries.secondsBlocked(db, orgId, ip);
    if (seconds !== null) throw blocked(seconds);
    return null;
  }
  const { failures, blocked_for } = await queries.countAttempt(db, orgId, ip, WINDOW_SECONDS);
  if (blocked_for !== null) throw blocked(blocked_for);
  if (failures <= MAX_FAILURES) return failures;
  // As many attempts as may fail are running at this moment. This one did not run, so it does not count.
  await queries.uncountAttempt(db, orgId, ip);
  throw blocked(RETRY_SECONDS);
}

const blocked = (seconds: number) =>
  new DomainError(
    'throttled',
    `Too many failed sign-ins from this address. Expected available in ${seconds} seconds.`,
    { retryAfter: Math.max(1, seconds) },
  );

async function recordFailure(
  db: Db,
  { organization, ip, userAgent }: Visit,
  { method, identifier }: Attempt,
  failures: number | null,
  reason: string,
) {
  const orgId = organization.id;
  const person = identifier === null ? undefined : await findByEmail(db, orgId, identifier);
  const events: NewEvent[] = [
    {
      type: 'session.login.failed',
      actor: { type: 'user', uuid: person?.id ?? null, ip, user_agent: userAgent },
      subject:
        person === undefined ? { type: 'system', uuid: orgId } : { type: 'platform_user', uuid: person.id },
      source: { type: 'user_action', uuid: null },
      payload: {
        identifier: loggedIdentifier(identifier, person !== undefined),
        reason,
        method,
        user_id: person?.id ?? null,
        ...(failures === null ? {} : { failures }),
      },
    },
  ];
  await transaction(db, async (tx) => {
    const isLast = failures !== null && failures >= MAX_FAILURES;
    const until = isLast ? await queries.blockAddress(tx, orgId, ip, WINDOW_SECONDS) : undefined;
    const block: NewEvent[] =
      isLast && until !== undefined
        ? [
            {
              type: 'session.ip_blocked',
              actor: { ...SYSTEM, ip, user_agent: userAgent },
              subject: { type: 'system', uuid: orgId },
              source: { type: 'system', uuid: null },
              payload: { ip, failures, window_seconds: WINDOW_SECONDS, blocked_until: until.toISOString() },
            },
          ]
        : [];
    await recordEvents(tx, orgId, [...events, ...block]);
  });
}

/** Keeps a password that was typed into the wrong field out of the log: only email addresses and known names enter. */
function loggedIdentifier(identifier: string | null, isKnown: boolean): string {
  if (identifier === null) return '';
  const isEmail = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(identifier);
  return isKnown || isEmail ? identifier.slice(0, 254) : '(not an email address)';
}
