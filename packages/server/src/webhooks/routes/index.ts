import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { WebhookTools } from '../webhooks.ts';
import { changeWebhookRoute } from './change-webhook.ts';
import { createWebhookRoute } from './create-webhook.ts';
import { deleteWebhookRoute } from './delete-webhook.ts';
import { getWebhookRoute } from './get-webhook.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { listWebhooksRoute } from './list-webhooks.ts';
import { replayWebhookRoute } from './replay-webhook.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { testWebhookRoute } from './test-webhook.ts';

/** Webhooks (docs/webhooks.md). */
export function webhookRoutes(http: Http, tools: RouteTools & WebhookTools) {
  listWebhooksRoute(http, tools);
  createWebhookRoute(http, tools);
  getWebhookRoute(http, tools);
  changeWebhookRoute(http, tools);
  deleteWebhookRoute(http, tools);
  replayWebhookRoute(http, tools);
  rotateSecretRoute(http, tools);
  testWebhookRoute(http, tools);
  listDeliveriesRoute(http, tools);
}
