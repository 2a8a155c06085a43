import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Filters, selectionOf } from '../events/filters.ts';
import { endOfLog, type Moment, placeOf } from '../events/follow.ts';
import { recordEvents } from '../events/record.ts';
import type { RequestCause } from '../identity/cause.ts';
import { takeTurnsIn } from '../identity/organization-facts.ts';
import { type Principal, requireAllApps } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, invalid, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { instantForSql, isInstant } from '../platform/instants.ts';
import type { Secrets } from '../platform/secrets/secrets.ts';
import { requireDestination } from './destination.ts';
import * as events from './events.ts';
import * as deliveries from './queries/deliveries.ts';
import * as queries from './queries/webhooks.ts';
import { messageOf, type Outcome, send } from './send.ts';
import { newSecret, openSigningSecrets, sealSecret } from './signing.ts';
import type { Delivery, Settings, Webhook } from './webhook.ts';

export interface WebhookTools {
  db: Db;
  secrets: Secrets;
}

const MOST_WEBHOOKS = 50;

/** Throws 403 for a key for listed apps (D7), and 404 for an unknown webhook. */
export async function getWebhook(db: Db, principal: Principal, id: string): Promise<Webhook> {
  requireAllApps(principal, 'webhooks');
  const webhook = isUuid(id) ? await queries.findWebhook(db, principal.orgId, id) : undefined;
  if (webhook === undefined) throw notFound('Webhook');
  return webhook;
}

export const listWebhooks = (db: Db, { orgId }: Principal, page: Page): Promise<Slice<Webhook>> =>
  queries.listWebhooks(db, orgId, page);

/** Creates a webhook for events from now on. Returns its secret, which is not shown again. */
export async function createWebhook(
  { db, secrets }: WebhookTools,
  principal: Principal,
  settings: Settings,
  cause: RequestCause,
): Promise<{ webhook: Webhook; secret: string }> {
  await requireValid(principal, settings);
  const { orgId } = principal;
  const id = randomUUIDv7();
  const secret = newSecret();
  await transaction(db, async (tx) => {
    await takeTurnsIn(tx, orgId);
    if ((await queries.countWebhooks(tx, orgId)) >= MOST_WEBHOOKS)
      throw conflict(
        `An organization can have ${MOST_WEBHOOKS} webhooks. Delete one that is no longer used.`,
      );
    const sealedSecret = await sealSecret(tx, secrets, orgId, id, secret);
    const position = await endOfLog(tx, orgId);
    await queries.insertWebhook(tx, orgId, id, settings, { sealedSecret, position });
    await recordEvents(tx, orgId, [events.webhookCreated({ id, ...settings }, cause)]);
  });
  return { webhook: await getWebhook(db, principal, id), secret };
}

/** Changes the named fields. Enabling a webhook, or changing its address, forgets its failures and tries at once. */
export async function changeWebhook(
  { db }: WebhookTools,
  principal: Principal,
  id: string,
  change: Partial<Settings>,
  cause: RequestCause,
): Promise<Webhook> {
  await requireValid(principal, change);
  const { orgId } = principal;
  await whileLocked(db, principal, id, async (tx, before) => {
    const after = { ...before, ...change };
    const forgets = (after.enabled && !before.enabled) || after.url !== before.url;
    const ends = after.url !== before.url || !isDeepStrictEqual(after.filters, before.filters);
    await queries.updateWebhook(tx, orgId, id, after, { forgets, ends });
    await recordEvents(tx, orgId, events.webhookUpdated(id, before, after, cause));
  });
  return getWebhook(db, principal, id);
}

export const deleteWebhook = (
  { db }: WebhookTools,
  principal: Principal,
  id: string,
  cause: RequestCause,
): Promise<void> =>
  whileLocked(db, principal, id, async (tx, webhook) => {
    await queries.deleteWebhook(tx, principal.orgId, id);
    await recordEvents(tx, principal.orgId, [events.webhookDeleted(webhook, cause)]);
  });

/** Replaces the secret. Until the overlap ends, deliveries carry the signatures of both. Returns the new secret once. */
export async function rotateSecret(
  { db, secrets }: WebhookTools,
  principal: Principal,
  id: string,
  overlapHours: number,
  cause: RequestCause,
): Promise<{ webhook: Webhook; secret: string }> {
  const { orgId } = principal;
  const secret = newSecret();
  await whileLocked(db, principal, id, async (tx, webhook) => {
    const sealed = await sealSecret(tx, secrets, orgId, id, secret);
    const until = await queries.rotateSecret(tx, orgId, id, sealed, overlapHours);
    await recordEvents(tx, orgId, [events.secretRotated(webhook, until, cause)]);
  });
  return { webhook: await getWebhook(db, principal, id), secret };
}

/**
 * Sets a webhook to another place in the log: before an event, before the events recorded since a time, or behind the newest
 * one (`end`). Events that were delivered before are delivered again, with the same ids.
 */
export async function replayWebhook(
  { db }: WebhookTools,
  principal: Principal,
  id: string,
  from: string,
  cause: RequestCause,
): Promise<Webhook> {
  const { orgId } = principal;
  await whileLocked(db, principal, id, async (tx, webhook) => {
    await queries.moveWebhook(tx, orgId, id, await placeBefore(tx, orgId, from));
    const fromEvent = isUuid(from) ? from.toLowerCase() : null;
    await recordEvents(tx, orgId, [events.webhookReplayed(webhook, fromEvent, cause)]);
  });
  return getWebhook(db, principal, id);
}

async function placeBefore(tx: Tx, orgId: string, from: string): Promise<Moment> {
  const end = await endOfLog(tx, orgId);
  if (from === 'end') return end;
  if (isUuid(from)) {
    const place = await placeOf(tx, orgId, from);
    if (place === undefined) throw notFound('Event');
    return place - 1;
  }
  if (!isInstant(from)) throw invalid('Name the id of an event, a time in ISO 8601, or end (from).');
  const moment = Date.parse(instantForSql(from)) * 1000 - 1;
  return Math.min(Math.max(moment, 0), end);
}

/** Sends a signed example event, which is not in the log. It changes nothing but the delivery log. */
export async function testWebhook(
  { db, secrets }: WebhookTools,
  principal: Principal,
  id: string,
): Promise<{ eventId: string; outcome: Outcome }> {
  const { orgId } = principal;
  const { url } = await getWebhook(db, principal, id);
  const sealed = await queries.findSecrets(db, orgId, id);
  if (sealed === undefined) throw notFound('Webhook');
  const signing = await openSigningSecrets(db, secrets, orgId, id, sealed);
  const eventId = randomUUIDv7();
  const type = 'webhook.test';
  const occurredAt = new Date().toISOString();
  const example = {
    event_id: eventId,
    event_type: type,
    occurred_at: occurredAt,
    actor: { type: 'user', uuid: principal.userId },
    subject: { type: 'system', uuid: id },
    payload: { webhook_id: id },
  };
  const outcome = await send(
    url,
    signing,
    messageOf({ id: eventId, type, occurredAt, body: JSON.stringify(example) }),
  );
  const { status, durationMs, error, response } = outcome;
  await deliveries.insertDelivery(db, orgId, id, {
    id: randomUUIDv7(),
    event_id: eventId,
    event_type: type,
    attempt: 1,
    outcome: error === null ? 'delivered' : 'failed',
    status,
    duration_ms: durationMs,
    error,
    response,
  });
  return { eventId, outcome };
}

export const listDeliveries = (
  db: Db,
  { orgId }: Principal,
  id: string,
  filter: deliveries.DeliveryFilter,
  page: Page,
): Promise<Slice<Delivery>> => deliveries.listDeliveries(db, orgId, id, filter, page);

/** Runs `work` on a webhook that nobody else changes meanwhile. Throws 404 if it does not exist. */
function whileLocked(
  db: Db,
  principal: Principal,
  id: string,
  work: (tx: Tx, webhook: Webhook) => Promise<void>,
): Promise<void> {
  return transaction(db, async (tx) => {
    await queries.lockWebhook(tx, principal.orgId, id);
    await work(tx, await getWebhook(tx, principal, id));
  });
}

/** Checks the given settings. A webhook sends events, so that its author must be allowed to read them. */
async function requireValid({ scopes }: Principal, { url, filters }: Partial<Settings>): Promise<void> {
  if (!scopes.has('events'))
    throw forbidden(
      'A webhook sends events: creating or changing one requires a key with the scope events, too.',
    );
  if (filters !== undefined) requireFilters(filters);
  if (url !== undefined) await requireDestination(url);
}

/** Throws 400 for a filter that the events API would refuse, or that selects no event at all. */
function requireFilters(filters: Filters): void {
  if (selectionOf(filters).parts.length === 0)
    throw invalid('These filters select no event. Remove one of them (filters).');
}
