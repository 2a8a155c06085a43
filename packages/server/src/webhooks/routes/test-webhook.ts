import { Type } from 'typebox';
import { Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { testWebhook, type WebhookTools } from '../webhooks.ts';
import { knownWebhook, managing, tags, WebhookParams } from './schemas.ts';

const Result = Type.Object({
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
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: {
        tags,
        summary: 'Send an example event',
        description: 'Sends a signed event of the type `webhook.test`, which is not in the log.',
        params: WebhookParams,
        response: { 200: Result },
      },
    },
    async ({ principal, params }) => {
      const { eventId, outcome } = await testWebhook(tools, principal, params.webhook_id);
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
