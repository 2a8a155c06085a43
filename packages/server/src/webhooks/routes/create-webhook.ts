import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { createWebhook, type WebhookTools } from '../webhooks.ts';
import { allApps, managing, tags, WebhookWithSecret, webhookFields, webhookItem } from './schemas.ts';

export function createWebhookRoute(http: Http, tools: WebhookTools) {
  http.post(
    '/api/webhooks/',
    {
      config: managing,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Create webhook',
        body: Type.Object(webhookFields),
        response: { 201: WebhookWithSecret },
      },
    },
    async (request, reply) => {
      const { filters = {}, enabled = true, ...rest } = request.body;
      const settings = { ...rest, filters, enabled };
      const { webhook, secret } = await createWebhook(tools, request.principal, settings, causeOf(request));
      reply.code(201);
      return { ...webhookItem(webhook), secret };
    },
  );
}
