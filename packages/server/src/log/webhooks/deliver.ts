import { randomUUIDv7 } from 'node:crypto';
import { type Database, type OrgTx, transaction, within } from '#kit/database.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { momentToIso, readLogAsSent, type SentEvent } from '#log/events/follow.ts';
import { recordEvents } from '#log/events/record.ts';
import { webhookDisabled } from './events.ts';
import * as deliveries from './queries/deliveries.ts';
import * as queries from './queries/delivering.ts';
import { entryOf, messageOf, type Outcome, send } from './send.ts';
import { openSigningSecrets } from './signing.ts';

/** The tools of a turn. */
export interface Delivering {
  database: Database;
  secrets: Secrets;
  /** How long a receiver may take. */
  deadlineMs?: number;
}

const PAGE = 100;
/** A turn ends after this long, so that other webhooks have theirs. */
const LONGEST_TURN_MS = 10_000;

/** Seconds between attempts. The last one repeats until the event has failed for three days. */
const PAUSES = [5, 30, 120, 600, 1800, 3600, 7200, 14_400];
const LONGEST_PAUSE = 24 * 3600;

/**
 * Delivers a webhook's next events in the order of the log, one at a time, until one fails, none are left, or the turn ends.
 * Returns whether more can be delivered immediately.
 *
 * A claim keeps other nodes away. Each event is marked in a transaction of its own after the receiver took it, so that a
 * process that dies in between repeats this one event, with the same id.
 */
export async function takeTurn(
  { database, secrets, deadlineMs }: Delivering,
  { org_id: orgId, id }: { org_id: string; id: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { db } = database;
  const webhook = await queries.claimWebhook(within(db, orgId), id, randomUUIDv7());
  if (webhook === undefined) return false;
  try {
    const { entries, next, hasMore, retainedFrom } = await readLogAsSent(
      database,
      orgId,
      webhook.filters,
      webhook.position,
      PAGE,
    );
    if (!(await skipMissing(db, webhook, retainedFrom))) return true;
    const signing = await openSigningSecrets(within(db, orgId), secrets, id, webhook);
    const endOfTurn = performance.now() + LONGEST_TURN_MS;
    for (const event of entries) {
      if (signal.aborted || performance.now() > endOfTurn) return true;
      const outcome = await send(webhook.url, signing, messageOf(event), deadlineMs);
      if (!(await note(db, webhook, event, outcome))) return false;
    }
    if (hasMore) return true;
    if (next > webhook.position) await queries.passTo(within(db, webhook.org_id), webhook, next);
    return false;
  } finally {
    await queries.releaseWebhook(db, webhook);
  }
}

/**
 * Moves on to the begin of the log if retention has removed events from behind the webhook's place, and says so in the
 * delivery log. Returns whether the turn may go on.
 */
async function skipMissing(
  db: Database['db'],
  webhook: queries.Claimed,
  retainedFrom: number,
): Promise<boolean> {
  const begin = retainedFrom - 1;
  if (webhook.position >= begin) return true;
  const isOurs = await transaction(within(db, webhook.org_id), async (tx) => {
    if (!(await queries.passTo(tx, webhook, begin))) return false;
    await deliveries.insertDelivery(tx, webhook.id, {
      outcome: 'skipped',
      error: `The log no longer has events from before ${momentToIso(retainedFrom)}. Deliveries go on with the oldest event that remains.`,
    });
    return true;
  });
  if (isOurs) webhook.position = begin;
  return isOurs;
}

/** Records how an attempt ended. Returns whether the turn may go on with the next event. */
async function note(
  db: Database['db'],
  webhook: queries.Claimed,
  event: SentEvent,
  outcome: Outcome,
): Promise<boolean> {
  const { status, error } = outcome;
  const goesOn = await transaction(within(db, webhook.org_id), async (tx) => {
    const marked =
      error === null
        ? await queries.markDelivered(tx, webhook, event.moment, status)
        : await noteFailure(tx, webhook, { ...outcome, error });
    await deliveries.insertDelivery(tx, webhook.id, {
      event_id: event.id,
      event_type: event.type,
      attempt: webhook.attempts + 1,
      ...entryOf(outcome),
    });
    if (marked === 'disabled') await recordEvents(tx, [webhookDisabled(webhook, disabledReason(outcome))]);
    return marked === true;
  });
  webhook.position = event.moment;
  webhook.attempts = 0;
  // The next event has three days of its own.
  webhook.gives_up_in = null;
  return goesOn;
}

/** Schedules the next attempt, or disables the webhook after 410 Gone and after three days. */
async function noteFailure(
  tx: OrgTx,
  webhook: queries.Claimed,
  outcome: Outcome & { error: string },
): Promise<'disabled' | false> {
  const left = webhook.gives_up_in ?? Number.POSITIVE_INFINITY;
  if (outcome.status === 410 || left <= 0) {
    const isDisabled = await queries.disable(tx, webhook, { ...outcome, reason: disabledReason(outcome) });
    return isDisabled && 'disabled';
  }
  const pauseSeconds = Math.min(pauseAfter(webhook.attempts, outcome.retryAfter), left);
  await queries.markFailed(tx, webhook, { ...outcome, pauseSeconds });
  return false;
}

const disabledReason = ({ status, error }: Outcome) =>
  status === 410
    ? 'The receiver replied 410 Gone.'
    : `Every attempt to deliver an event failed for three days. The last time: ${error}`;

/** Returns the seconds until the next attempt. Jitter keeps webhooks that failed together from trying together. */
export function pauseAfter(attempts: number, retryAfter: number | null): number {
  const pause = PAUSES[Math.min(attempts, PAUSES.length - 1)] ?? 0;
  const jittered = pause * (0.8 + 0.4 * Math.random());
  return Math.min(Math.max(jittered, retryAfter ?? 0), LONGEST_PAUSE);
}
