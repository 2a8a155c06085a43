import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import type { WebhookTools } from '../webhooks.ts';
import { webhookRoutes as routes } from './webhooks.ts';

/** Webhooks (docs/guides/webhooks.md). */
export const webhookRoutes = (http: Http, tools: RouteTools & WebhookTools) =>
  addRoutes(http, tools, routes(tools));
