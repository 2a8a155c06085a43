import { Type } from 'typebox';
import { resource } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Component, Nullable, Uuid } from '#kit/schemas.ts';
import {
  DeliveryOutcome,
  WebhookDelivery,
  WebhookItem,
  WebhookWithSecret,
  webhookFields,
} from '../schemas.ts';
import { entryOf } from '../send.ts';
import { type Webhook, webhookItem } from '../webhook.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listDeliveries,
  listWebhooks,
  replayWebhook,
  rotateSecret,
  skipEvent,
  testWebhook,
  type WebhookTools,
  webhookVersion,
} from '../webhooks.ts';

/** Owners and admins manage webhooks, auditors read them. */
const writers = { scope: 'govern', roles: ['owner', 'admin'] } as const;
/** The response has the signing secret. */
const exportingSecret = { access: { ...writers, stepUp: true } } as const;
/** A change of the address needs a step-up: it gets the events long after the session has ended. */
const redirecting = { access: { ...writers, stepUp: 'privileged' } } as const;

const webhooks = resource({
  path: '/api/webhooks/',
  tag: 'Webhooks',
  reading: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
  managing: { access: writers },
  allow: ({ principal }) => requireAllApps(principal, 'webhooks'),
  id: 'webhook_id',
  find: getWebhook,
  schema: WebhookItem,
  view: webhookItem,
  version: webhookVersion,
});

const withSecret = ({ webhook, secret }: { webhook: Webhook; secret: string }) => ({
  ...webhookItem(webhook),
  secret,
});

const WebhookReplay = Component('WebhookReplay', {
  from: Type.String({
    maxLength: 64,
    description:
      'The id of the first event to deliver, a time (ISO 8601) from which on recorded events are delivered, or `end` for later events only.',
    examples: ['2026-01-31T00:00:00Z'],
  }),
});

const DAY_HOURS = 24;
const WebhookSecretRotation = Component('WebhookSecretRotation', {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * DAY_HOURS,
      default: DAY_HOURS,
      description: 'How long deliveries carry the signature of the previous secret, too.',
    }),
  ),
});

const WebhookTestResult = Component('WebhookTestResult', {
  event_id: Uuid,
  delivered: Type.Boolean(),
  status: Nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'The first 1,024 bytes of the response body.' })),
});

export const webhookRoutes = (tools: WebhookTools) => [
  webhooks.list('List webhooks', {}, (call, _, page) => listWebhooks(call, page)),
  webhooks.all.post(
    '',
    'Create webhook',
    {
      config: exportingSecret,
      body: Component('NewWebhook', webhookFields),
      reply: WebhookWithSecret,
      status: 201,
    },
    async ({ call, body: { filters = {}, enabled = true, ...rest } }) =>
      withSecret(await createWebhook(tools, call, { ...rest, filters, enabled })),
  ),
  webhooks.get('Get webhook'),
  webhooks.change(
    'Change webhook',
    { config: redirecting, body: Type.Partial(Type.Object(webhookFields), { title: 'WebhookChange' }) },
    ({ call, found, body, ifMatch }) => changeWebhook(call, found.id, body, ifMatch),
  ),
  webhooks.remove('Delete webhook', {}, ({ call, found }) => deleteWebhook(call, found.id)),
  webhooks.act(
    'replay/',
    'Deliver again from a place in the log',
    { body: WebhookReplay },
    ({ call, found, body }) => replayWebhook(call, found.id, body.from),
  ),
  webhooks.act(
    'skip/',
    'Skip the event that fails',
    {
      description:
        'Skips exactly this event, which the receiver does not take, and goes on with the next one. The event `webhook.event_skipped` records it. 409 unless it is the event that fails now.',
      body: Component('WebhookSkip', { event_id: Uuid }),
    },
    ({ call, found, body }) => skipEvent(tools, call, found.id, body.event_id),
  ),
  webhooks.one.post(
    'rotate-secret/',
    'Rotate secret of webhook',
    { config: exportingSecret, body: WebhookSecretRotation, reply: WebhookWithSecret },
    async ({ call, found, body: { overlap_hours = DAY_HOURS } }) =>
      withSecret(await rotateSecret(tools, call, found.id, overlap_hours)),
  ),
  webhooks.one.post(
    'test/',
    'Send an example event',
    {
      description: 'Sends a signed event of the type `webhook.test`, which is not in the log.',
      config: { access: writers, waits: true },
      reply: WebhookTestResult,
    },
    async ({ call, found }) => {
      const { eventId, outcome } = await testWebhook(tools, call, found.id);
      const { outcome: result, ...entry } = entryOf(outcome);
      return { event_id: eventId, delivered: result === 'delivered', ...entry };
    },
  ),
  webhooks.listOf(
    'deliveries/',
    'List deliveries of webhook',
    {
      description: 'The attempts of the last 30 days, newest first.',
      query: { outcome: Type.Optional(DeliveryOutcome), event_id: Type.Optional(Uuid) },
      item: WebhookDelivery,
      isLong: true,
    },
    ({ call, found, query: { outcome = null, event_id: eventId = null } }, page) =>
      listDeliveries(call, found.id, { outcome, eventId }, page),
  ),
];
