import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { attachmentRoutes } from './attachments.ts';
import { settingsRoutes } from './settings.ts';
import { taskRoutes } from './tasks.ts';

/** Tasks that people carry out. */
export async function fulfillmentRoutes(http: Http, tools: RouteTools) {
  addRoutes(http, tools, [...settingsRoutes, ...taskRoutes]);
  await attachmentRoutes(http, tools);
}
