import { addRoutes } from '../../../kit/http/route.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { WebhookTools } from '../webhooks.ts';
import { webhookRoutes as routes } from './webhooks.ts';

/** Webhooks (docs/webhooks.md). */
export const webhookRoutes = (http: Http, tools: RouteTools & WebhookTools) =>
  addRoutes(http, tools, routes(tools));
