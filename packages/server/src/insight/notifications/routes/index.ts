import { addRoutes, type Http } from '#kit/http.ts';
import type { NotificationTools } from './access.ts';
import { channelRoutes } from './channels.ts';
import { deliveryRoutes, ownRoutes } from './notifications.ts';

export const notificationRoutes = (http: Http, tools: NotificationTools) =>
  addRoutes(http, tools, [...ownRoutes(tools), ...channelRoutes(tools), ...deliveryRoutes(tools)]);
