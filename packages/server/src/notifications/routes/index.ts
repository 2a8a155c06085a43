import type { Http } from '../../platform/http/server.ts';
import { changeChannelRoute } from './change-channel.ts';
import { changePreferencesRoute } from './change-preferences.ts';
import { createChannelRoute } from './create-channel.ts';
import { deleteChannelRoute } from './delete-channel.ts';
import { getPreferencesRoute } from './get-preferences.ts';
import { listChannelsRoute } from './list-channels.ts';
import { listDeliveriesRoute } from './list-deliveries.ts';
import { listKindsRoute } from './list-kinds.ts';
import { listNotificationsRoute } from './list-notifications.ts';
import { markReadRoute } from './mark-read.ts';
import type { NotificationTools } from './schemas.ts';
import { testChannelRoute } from './test-channel.ts';
import { testEmailRoute } from './test-email.ts';

export function notificationRoutes(http: Http, tools: NotificationTools) {
  listNotificationsRoute(http, tools);
  markReadRoute(http, tools);
  getPreferencesRoute(http, tools);
  changePreferencesRoute(http, tools);
  listKindsRoute(http, tools);
  listDeliveriesRoute(http, tools);
  listChannelsRoute(http, tools);
  createChannelRoute(http, tools);
  changeChannelRoute(http, tools);
  deleteChannelRoute(http, tools);
  testChannelRoute(http, tools);
  testEmailRoute(http, tools);
}
