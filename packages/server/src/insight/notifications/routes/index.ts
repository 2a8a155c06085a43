import type { Http } from '../../../kit/http/server.ts';
import {
  changeChannelRoute,
  createChannelRoute,
  deleteChannelRoute,
  getChannelRoute,
  listChannelsRoute,
  testChannelRoute,
} from './channels.ts';
import {
  listDeliveriesRoute,
  listKindsRoute,
  listNotificationsRoute,
  markReadRoute,
  testEmailRoute,
} from './notifications.ts';
import { changePreferencesRoute, getPreferencesRoute } from './preferences.ts';
import type { NotificationTools } from './schemas.ts';

export function notificationRoutes(http: Http, tools: NotificationTools) {
  listNotificationsRoute(http, tools);
  markReadRoute(http, tools);
  getPreferencesRoute(http, tools);
  changePreferencesRoute(http, tools);
  listKindsRoute(http, tools);
  listDeliveriesRoute(http, tools);
  listChannelsRoute(http, tools);
  getChannelRoute(http, tools);
  createChannelRoute(http, tools);
  changeChannelRoute(http, tools);
  deleteChannelRoute(http, tools);
  testChannelRoute(http, tools);
  testEmailRoute(http, tools);
}
