import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { WebhookTools } from '../webhooks.ts';
import {
  changeWebhookRoute,
  createWebhookRoute,
  deleteWebhookRoute,
  getWebhookRoute,
  listDeliveriesRoute,
  listWebhooksRoute,
  replayWebhookRoute,
  rotateSecretRoute,
  skipEventRoute,
  testWebhookRoute,
} from './webhooks.ts';

/** Webhooks (docs/webhooks.md). */
export function webhookRoutes(http: Http, tools: RouteTools & WebhookTools) {
  listWebhooksRoute(http, tools);
  createWebhookRoute(http, tools);
  getWebhookRoute(http, tools);
  changeWebhookRoute(http, tools);
  deleteWebhookRoute(http, tools);
  replayWebhookRoute(http, tools);
  rotateSecretRoute(http, tools);
  skipEventRoute(http, tools);
  testWebhookRoute(http, tools);
  listDeliveriesRoute(http, tools);
}
