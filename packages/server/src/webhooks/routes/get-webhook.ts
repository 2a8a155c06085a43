import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getWebhook } from '../webhooks.ts';
import { reading, tags, WebhookItem, WebhookParams, webhookItem } from './schemas.ts';

export function getWebhookRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/webhooks/:webhook_id/',
    {
      config: reading,
      schema: { tags, summary: 'Get webhook', params: WebhookParams, response: { 200: WebhookItem } },
    },
    async ({ principal, params }) => webhookItem(await getWebhook(db, principal, params.webhook_id)),
  );
}
