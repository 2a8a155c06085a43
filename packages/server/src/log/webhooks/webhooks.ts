import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Database, type Db, type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, type Principal, requireAllApps, requireStepUp, takeTurnsIn } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import { instantForSql, isInstant } from '#kit/instants.ts';
import type { Page, Slice } from '#kit/pages.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { type IfMatch, requireVersion, versionOf } from '#kit/versions.ts';
import { endOfLog, placeOf } from '#log/events/facts.ts';
import { type Filters, selectionOf } from '#log/events/filters.ts';
import { type Moment, readLogAsSent, type SentEvent } from '#log/events/follow.ts';
import { recordEvents } from '#log/events/record.ts';
import { requireDestination } from './destination.ts';
import * as events from './events.ts';
import * as deliveries from './queries/deliveries.ts';
import { failingEverywhere } from './queries/delivering.ts';
import * as queries from './queries/webhooks.ts';
import type { Delivery } from './schemas.ts';
import { entryOf, messageOf, type Outcome, send } from './send.ts';
import { webhookRefusals } from './sentences.ts';
import { newSecret, openSigningSecrets, sealSecret } from './signing.ts';
import type { Settings, Webhook } from './webhook.ts';

export interface WebhookTools {
  db: Db;
  database: Pick<Database, 'prepared'>;
  secrets: Secrets;
}

const MOST_WEBHOOKS = 50;

/** Throws 403 for an app-scoped key (D7), and 404 for an unknown webhook. */
export async function getWebhook(call: Call, id: string): Promise<Webhook> {
  requireAllApps(call.principal, 'webhooks');
  const webhook = isUuid(id) ? await queries.findWebhook(call, id) : undefined;
  if (webhook === undefined) throw notFound('Webhook');
  return webhook;
}

export const listWebhooks = (call: Call, page: Page): Promise<Slice<Webhook>> =>
  queries.listWebhooks(call, page);

/** Creates a webhook for events from now on. Returns its secret, which is not shown again. */
export async function createWebhook(
  { secrets }: WebhookTools,
  call: Call,
  settings: Settings,
): Promise<{ webhook: Webhook; secret: string }> {
  await requireValid(call.principal, settings);
  const id = randomUUIDv7();
  const secret = newSecret();
  await transaction(call, async (tx) => {
    await takeTurnsIn(tx);
    if ((await queries.countWebhooks(tx)) >= MOST_WEBHOOKS)
      throw webhookRefusals.too_many_webhooks({ most: MOST_WEBHOOKS });
    const sealedSecret = await sealSecret(tx, secrets, id, secret);
    const position = await endOfLog(tx);
    await queries.insertWebhook(tx, id, settings, { sealedSecret, position });
    await recordEvents(tx, [events.webhookCreated({ id, ...settings }, call.cause)]);
  });
  return { webhook: await getWebhook(call, id), secret };
}

export const webhookVersion = ({ name, url, filters, enabled }: Settings): string =>
  versionOf({ name, url, filters, enabled });

/**
 * Changes the named fields, if `ifMatch` names their version. Enabling a webhook, or changing its address, forgets its
 * failures and tries immediately.
 */
export async function changeWebhook(
  call: Call,
  id: string,
  change: Partial<Settings>,
  ifMatch: IfMatch = null,
): Promise<Webhook> {
  await requireValid(call.principal, change);
  await whileLocked(call, id, async (tx, before) => {
    requireVersion(ifMatch, webhookVersion(before));
    const after = { ...before, ...change };
    if (after.url !== before.url) requireStepUp(call.principal);
    const forgets = (after.enabled && !before.enabled) || after.url !== before.url;
    const ends = after.url !== before.url || !isDeepStrictEqual(after.filters, before.filters);
    await queries.updateWebhook(tx, id, after, { forgets, ends });
    await recordEvents(tx, events.webhookUpdated(id, before, after, call.cause));
  });
  return getWebhook(call, id);
}

export const deleteWebhook = (call: Call, id: string): Promise<void> =>
  whileLocked(call, id, async (tx, webhook) => {
    await queries.deleteWebhook(tx, id);
    await recordEvents(tx, [events.webhookDeleted(webhook, call.cause)]);
  });

/** Replaces the secret. Until the overlap ends, deliveries carry the signatures of both. Returns the new secret once. */
export async function rotateSecret(
  { secrets }: WebhookTools,
  call: Call,
  id: string,
  overlapHours: number,
): Promise<{ webhook: Webhook; secret: string }> {
  const secret = newSecret();
  await whileLocked(call, id, async (tx, webhook) => {
    const sealed = await sealSecret(tx, secrets, id, secret);
    const until = await queries.rotateSecret(tx, id, sealed, overlapHours);
    await recordEvents(tx, [events.secretRotated(webhook, until, call.cause)]);
  });
  return { webhook: await getWebhook(call, id), secret };
}

/**
 * Sets a webhook to another place in the log: before an event, before the events recorded since a time, or behind the newest
 * one (`end`). Events that were delivered before are delivered again, with the same ids.
 */
export async function replayWebhook(call: Call, id: string, from: string): Promise<Webhook> {
  await whileLocked(call, id, async (tx, webhook) => {
    await queries.moveWebhook(tx, id, await placeBefore(tx, from));
    const fromEvent = isUuid(from) ? from.toLowerCase() : null;
    await recordEvents(tx, [events.webhookReplayed(webhook, fromEvent, call.cause)]);
  });
  return getWebhook(call, id);
}

async function placeBefore(tx: OrgTx, from: string): Promise<Moment> {
  const end = await endOfLog(tx);
  if (from === 'end') return end;
  if (isUuid(from)) {
    const place = await placeOf(tx, from);
    if (place === undefined) throw notFound('Event');
    return place - 1;
  }
  if (!isInstant(from)) throw webhookRefusals.replay_start_invalid();
  const moment = Date.parse(instantForSql(from)) * 1000 - 1;
  return Math.min(Math.max(moment, 0), end);
}

/**
 * Skips the event that the receiver does not take, and only that one: the next one follows immediately. Throws 409 unless the event
 * is the one that fails, such as when somebody else has skipped it.
 */
export async function skipEvent(
  { database }: WebhookTools,
  call: Call,
  id: string,
  eventId: string,
): Promise<Webhook> {
  const place = await queries.findPlace(call, id);
  const { filters } = await getWebhook(call, id);
  const next = place === undefined ? undefined : await nextEvent(database, call.orgId, filters, place);
  await whileLocked(call, id, async (tx, webhook) => {
    const isUnmoved =
      (await queries.findPlace(tx, id)) === place && isDeepStrictEqual(webhook.filters, filters);
    if (webhook.attempts === 0 || next?.id !== eventId.toLowerCase() || !isUnmoved)
      throw webhookRefusals.webhook_event_not_failing();
    await queries.moveWebhook(tx, id, next.moment);
    await deliveries.insertDelivery(tx, id, {
      event_id: next.id,
      event_type: next.type,
      outcome: 'skipped',
      error: 'An administrator skipped this event.',
    });
    const skipped = { event_id: next.id, event_type: next.type };
    await recordEvents(tx, [events.eventSkipped(webhook, skipped, call.cause)]);
  });
  return getWebhook(call, id);
}

const nextEvent = async (
  database: Pick<Database, 'prepared'>,
  orgId: string,
  filters: Filters,
  after: Moment,
): Promise<SentEvent | undefined> => (await readLogAsSent(database, orgId, filters, after, 1)).entries[0];

/** Events that wait are counted up to this number. */
const MOST_WAITING = 100;

/** A webhook whose next event fails, and how many events wait. */
export interface FailingWebhook {
  webhook: Webhook;
  waiting: { count: number; more: boolean };
}

/** Returns webhooks that deliver nothing since their next event fails, the longest first. */
export async function failingWebhooks(
  database: Pick<Database, 'prepared'>,
  db: OrgDb,
  limit: number,
): Promise<FailingWebhook[]> {
  const failing = await queries.listFailing(db, limit);
  return Promise.all(
    failing.map(async (webhook) => {
      const place = (await queries.findPlace(db, webhook.id)) ?? 0;
      const { entries } = await readLogAsSent(database, db.orgId, webhook.filters, place, MOST_WAITING + 1);
      const count = Math.min(entries.length, MOST_WAITING);
      return { webhook, waiting: { count, more: entries.length > MOST_WAITING } };
    }),
  );
}

const MOST_MEASURED = 20;

/** Counts the webhooks of all organizations whose next event fails, and the events that wait for the first 20 of them. */
export async function webhookFigures(database: Database): Promise<{ failing: number; waiting: number }> {
  const failing = await failingEverywhere(database.db);
  const measured = Map.groupBy(failing.slice(0, MOST_MEASURED), ({ org_id }) => org_id);
  let waiting = 0;
  for (const [orgId, { length }] of measured) {
    const found = await failingWebhooks(database, within(database.db, orgId), length);
    for (const { webhook, waiting: behind } of found) if (webhook.enabled) waiting += behind.count;
  }
  return { failing: failing.length, waiting };
}

/** Sends a signed example event, which is not in the log. It changes nothing but the delivery log. */
export async function testWebhook(
  { secrets }: WebhookTools,
  call: Call,
  id: string,
): Promise<{ eventId: string; outcome: Outcome }> {
  const { url } = await getWebhook(call, id);
  const sealed = await queries.findSecrets(call, id);
  if (sealed === undefined) throw notFound('Webhook');
  const signing = await openSigningSecrets(call, secrets, id, sealed);
  const eventId = randomUUIDv7();
  const type = 'webhook.test';
  const occurredAt = new Date().toISOString();
  const example = {
    event_id: eventId,
    event_type: type,
    occurred_at: occurredAt,
    actor: { type: 'user', uuid: call.principal.userId },
    subject: { type: 'system', uuid: id },
    payload: { webhook_id: id },
  };
  const outcome = await send(
    url,
    signing,
    messageOf({ id: eventId, type, occurredAt, body: JSON.stringify(example) }),
  );
  const tried = { event_id: eventId, event_type: type, attempt: 1, ...entryOf(outcome) };
  await deliveries.insertDelivery(call, id, tried);
  return { eventId, outcome };
}

export const listDeliveries = (
  call: Call,
  id: string,
  filter: deliveries.DeliveryFilter,
  page: Page,
): Promise<Slice<Delivery>> => deliveries.listDeliveries(call, id, filter, page);

/** Runs `work` on a webhook that nobody else can change at the same time. Throws 404 if it does not exist. */
function whileLocked(
  call: Call,
  id: string,
  work: (tx: OrgTx, webhook: Webhook) => Promise<void>,
): Promise<void> {
  return transaction(call, async (tx) => {
    await queries.lockWebhook(tx, id);
    await work(tx, await getWebhook(tx, id));
  });
}

/** Checks the given settings. A webhook sends events, so that its author must be allowed to read them. */
async function requireValid({ scopes }: Principal, { url, filters }: Partial<Settings>): Promise<void> {
  if (!scopes.has('events')) throw webhookRefusals.webhook_without_events_scope();
  if (filters !== undefined) requireFilters(filters);
  if (url !== undefined) await requireDestination(url);
}

/** Throws 400 for a filter that the events API would refuse, or that selects no event at all. */
function requireFilters(filters: Filters): void {
  if (selectionOf(filters).parts.length === 0) throw webhookRefusals.webhook_selects_nothing();
}
