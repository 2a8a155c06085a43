import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { deleteWebhook, type WebhookTools } from '../webhooks.ts';
import { knownWebhook, managing, tags, WebhookParams } from './schemas.ts';

export function deleteWebhookRoute(http: Http, tools: WebhookTools) {
  http.delete(
    '/api/webhooks/:webhook_id/',
    {
      config: managing,
      onRequest: knownWebhook(tools.db),
      schema: { tags, summary: 'Delete webhook', params: WebhookParams, response: { 204: Type.Null() } },
    },
    async (request, reply) => {
      await deleteWebhook(tools, request.principal, request.params.webhook_id, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
