import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { replayWebhook, type WebhookTools } from '../webhooks.ts';
import { knownWebhook, managing, tags, WebhookItem, WebhookParams, webhookItem } from './schemas.ts';

const Body = Type.Object({
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
      const { principal, params, body } = request;
      return webhookItem(
        await replayWebhook(tools, principal, params.webhook_id, body.from, causeOf(request)),
      );
    },
  );
}
