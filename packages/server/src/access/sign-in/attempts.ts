import { canonicalIp } from '../../events/ip.ts';
import { type NewEvent, recordEvents } from '../../events/record.ts';
import type { Db } from '../../platform/database/open.ts';
import { transaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors.ts';
import * as queries from './queries.ts';

/** So many failed sign-ins from one address within the window, and the address is blocked for as long. */
export const MAX_FAILURES = 10;
export const WINDOW_SECONDS = 15 * 60;

const REFUSALS: ReadonlySet<string> = new Set(['unauthenticated', 'forbidden']);

/**
 * What somebody could find by trying. Signatures, of passkeys and of providers, nobody guesses; and any site could
 * have its visitors' browsers bring wrong ones, until their address is blocked.
 */
const GUESSABLE: ReadonlySet<string> = new Set(['password', 'totp', 'backup_code', 'link']);

/** Somebody who wants to sign in, as they and their browser say. */
export interface Attempt {
  orgId: string;
  ip: string;
  userAgent: string | undefined;
  /** What was typed as the name, or null where none is. */
  identifier: string | null;
  method: string;
}

/**
 * Runs one try to show a factor. It counts as failed while it runs, so that a thousand at once are not a thousand
 * guesses; what it throws as `unauthenticated` or `forbidden` is recorded (session.login.failed), and the last straw blocks the
 * address (session.ip_blocked). Throws `throttled` for an address that is blocked.
 */
export async function attempt<T>(db: Db, given: Attempt, work: () => Promise<T>): Promise<T> {
  const ip = canonicalIp(given.ip);
  const failures = await admit(db, given, ip);
  const forgive = async () => {
    if (failures !== null) await queries.forgiveAttempt(db, given.orgId, ip);
  };
  try {
    const result = await work();
    await forgive();
    return result;
  } catch (error) {
    if (error instanceof DomainError && REFUSALS.has(error.code))
      await recordFailure(db, { ...given, ip }, failures, error.message);
    else await forgive();
    throw error;
  }
}

/** Answers how many failures there are with this try, or null where it is none that could be guessed. */
async function admit(db: Db, { orgId, method }: Attempt, ip: string): Promise<number | null> {
  if (!GUESSABLE.has(method)) {
    const blockedFor = await queries.blockedFor(db, orgId, ip);
    if (blockedFor !== null) throw blocked(blockedFor);
    return null;
  }
  const { failures, blocked_for } = await queries.countAttempt(db, orgId, ip, WINDOW_SECONDS);
  if (blocked_for !== null) throw blocked(blocked_for);
  if (failures <= MAX_FAILURES) return failures;
  // As many as may fail are being tried right now. This one was not: it does not count.
  await queries.forgiveAttempt(db, orgId, ip);
  throw blocked(5);
}

const blocked = (seconds: number) =>
  new DomainError(
    'throttled',
    `Too many failed sign-ins from this address. Expected available in ${seconds} seconds.`,
    { retryAfter: Math.max(1, seconds) },
  );

async function recordFailure(db: Db, given: Attempt, failures: number | null, reason: string) {
  const { orgId, ip, userAgent, identifier, method } = given;
  const person = identifier === null ? undefined : await queries.findByEmail(db, orgId, identifier);
  const actor = { type: 'user' as const, uuid: person?.id ?? null, ip, user_agent: userAgent };
  const subject =
    person === undefined
      ? ({ type: 'system', uuid: orgId } as const)
      : ({ type: 'platform_user', uuid: person.id } as const);
  await transaction(db, async (tx) => {
    const events: NewEvent[] = [
      {
        type: 'session.login.failed',
        actor,
        subject,
        source: { type: 'user_action', uuid: null },
        payload: {
          identifier: nameOf(identifier, person !== undefined),
          reason,
          method,
          user_id: person?.id ?? null,
          ...(failures === null ? {} : { failures }),
        },
      },
    ];
    const isLast = failures !== null && failures >= MAX_FAILURES;
    const until = isLast ? await queries.blockAddress(tx, orgId, ip, WINDOW_SECONDS) : undefined;
    if (isLast && until !== undefined) {
      events.push({
        type: 'session.ip_blocked',
        actor: { type: 'system', uuid: null, ip, user_agent: userAgent },
        subject: { type: 'system', uuid: orgId },
        source: { type: 'system', uuid: null },
        payload: { ip, failures, window_seconds: WINDOW_SECONDS, blocked_until: until.toISOString() },
      });
    }
    await recordEvents(tx, orgId, events);
  });
}

/** A password typed into the wrong field must not get into the log: only what is an address, or is known, does. */
function nameOf(identifier: string | null, isKnown: boolean): string {
  if (identifier === null) return '';
  const isAddress = /^[^@\s]+@[^@\s]+\.[a-z]{2,}$/i.test(identifier);
  return isKnown || isAddress ? identifier.slice(0, 254) : '(not an email address)';
}
