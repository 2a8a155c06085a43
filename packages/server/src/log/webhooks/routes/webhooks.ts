import { Type } from 'typebox';
import {
  envelope,
  listReply,
  longEnvelope,
  longPageQuery,
  pageOf,
  pageQuery,
} from '../../../kit/http/lists.ts';
import { Component, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { DELIVERY_OUTCOMES } from '../webhook.ts';
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
import {
  allApps,
  exportingSecret,
  knownWebhook,
  managing,
  reading,
  redirecting,
  tags,
  WebhookItem,
  WebhookParams,
  WebhookWithSecret,
  webhookFields,
  webhookItem,
} from './schemas.ts';

export function listWebhooksRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/webhooks/',
    {
      config: reading,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List webhooks',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(WebhookItem) },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { count, results } = await listWebhooks(callOf(db, request), page);
      return listReply(request, origin(request), page, { count, results: results.map(webhookItem) });
    },
  );
}

export function createWebhookRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/',
    {
      config: exportingSecret,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Create webhook',
        body: Component('NewWebhook', webhookFields),
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { filters = {}, enabled = true, ...rest } = request.body;
      const settings = { ...rest, filters, enabled };
      const { webhook, secret } = await createWebhook(tools, callOf(tools.db, request), settings);
      reply.code(201);
      return { ...webhookItem(webhook), secret };
    },
  );
}

export function getWebhookRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/webhooks/:webhook_id/',
    {
      config: reading,
      schema: {
        tags,
        summary: 'Get webhook',
        params: WebhookParams,
        response: { 200: withVersion(WebhookItem) },
      },
    },
    async (request, reply) => {
      const webhook = await getWebhook(callOf(db, request), request.params.webhook_id);
      reply.header('ETag', webhookVersion(webhook));
      return webhookItem(webhook);
    },
  );
}

export function changeWebhookRoute(http: Http, tools: WebhookTools) {
  http.patch(
    '/api/webhooks/:webhook_id/',
    {
      config: redirecting,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Change webhook',
        params: WebhookParams,
        headers: IfMatchHeader,
        body: Type.Partial(Type.Object(webhookFields), { title: 'WebhookChange' }),
        response: { 200: withVersion(WebhookItem) },
      },
    },
    async (request, reply) => {
      const { params, body } = request;
      const webhook = await changeWebhook(
        callOf(tools.db, request),
        params.webhook_id,
        body,
        ifMatchOf(request),
      );
      reply.header('ETag', webhookVersion(webhook));
      return webhookItem(webhook);
    },
  );
}

export function deleteWebhookRoute(http: Http, tools: WebhookTools) {
  http.delete(
    '/api/webhooks/:webhook_id/',
    {
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: { tags, summary: 'Delete webhook', params: WebhookParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await deleteWebhook(callOf(tools.db, request), request.params.webhook_id);
      reply.code(204);
      return null;
    },
  );
}

const Body = Component('WebhookReplay', {
  from: Type.String({
    maxLength: 64,
    description:
      'The id of the first event to deliver, a time (ISO 8601) from which on recorded events are delivered, or `end` for later events only.',
    examples: ['2026-01-31T00:00:00Z'],
  }),
});

export function replayWebhookRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/:webhook_id/replay/',
    {
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Deliver again from a place in the log',
        params: WebhookParams,
        body: Body,
        response: { 200: WebhookItem },
      },
    },
    async (request) => {
      const { params, body } = request;
      return webhookItem(await replayWebhook(callOf(tools.db, request), params.webhook_id, body.from));
    },
  );
}

export function skipEventRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/:webhook_id/skip/',
    {
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Skip the event that fails',
        description:
          'Skips exactly this event, which the receiver does not take, and goes on with the next one. The event `webhook.event_skipped` records it. 409 unless it is the event that fails now.',
        params: WebhookParams,
        body: Component('WebhookSkip', { event_id: Uuid }),
        response: { 200: WebhookItem },
      },
    },
    async (request) => {
      const { params, body } = request;
      return webhookItem(await skipEvent(tools, callOf(tools.db, request), params.webhook_id, body.event_id));
    },
  );
}

const DAY_HOURS = 24;

const RotateSecretBody = Component('WebhookSecretRotation', {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * DAY_HOURS,
      default: DAY_HOURS,
      description: 'How long deliveries carry the signature of the previous secret, too.',
    }),
  ),
});

export function rotateSecretRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/:webhook_id/rotate-secret/',
    {
      config: exportingSecret,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Rotate secret of webhook',
        params: WebhookParams,
        body: RotateSecretBody,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { params, body } = request;
      const hours = body.overlap_hours ?? DAY_HOURS;
      const { webhook, secret } = await rotateSecret(
        tools,
        callOf(tools.db, request),
        params.webhook_id,
        hours,
      );
      return { ...webhookItem(webhook), secret };
    },
  );
}

const Result = Component('WebhookTestResult', {
  event_id: Uuid,
  delivered: Type.Boolean(),
  status: Nullable(Type.Integer()),
  duration_ms: Type.Integer(),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'The first 1,024 bytes of the response body.' })),
});

export function testWebhookRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/:webhook_id/test/',
    {
      config: { ...managing, waits: true },
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Send an example event',
        description: 'Sends a signed event of the type `webhook.test`, which is not in the log.',
        params: WebhookParams,
        response: { 200: Result },
      },
    },
    async (request) => {
      const { eventId, outcome } = await testWebhook(
        tools,
        callOf(tools.db, request),
        request.params.webhook_id,
      );
      const { status, durationMs, error, response } = outcome;
      return {
        event_id: eventId,
        delivered: error === null,
        status,
        duration_ms: durationMs,
        error,
        response,
      };
    },
  );
}

const Outcome = Type.Enum([...DELIVERY_OUTCOMES]);

const Query = Type.Object({
  ...longPageQuery,
  outcome: Type.Optional(Outcome),
  event_id: Type.Optional(Uuid),
});

const Delivery = Component('WebhookDelivery', {
  id: Uuid,
  event_id: Nullable(Uuid),
  event_type: Nullable(Type.String()),
  attempt: Type.Integer({ description: 'Counts from 1 for each event.' }),
  outcome: Outcome,
  status: Nullable(Type.Integer({ description: 'The HTTP status of the response.' })),
  duration_ms: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'The first 1,024 bytes of the response body.' })),
  at: Timestamp,
});

export function listDeliveriesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/webhooks/:webhook_id/deliveries/',
    {
      config: reading,
      onRequest: knownWebhook(db),
      schema: {
        tags,
        summary: 'List deliveries of webhook',
        description: 'The attempts of the last 30 days, newest first.',
        params: WebhookParams,
        querystring: Query,
        response: { 200: longEnvelope(Delivery) },
      },
    },
    async (request) => {
      const { params, query } = request;
      const page = pageOf(query);
      const filter = { outcome: query.outcome ?? null, eventId: query.event_id ?? null };
      const slice = await listDeliveries(callOf(db, request), params.webhook_id, filter, page);
      return listReply(request, origin(request), page, slice);
    },
  );
}
