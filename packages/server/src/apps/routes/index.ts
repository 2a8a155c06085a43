import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { ArchiveHook, ReadActivity } from '../admin.ts';
import { archiveAppRoute } from './archive-app.ts';
import { changeAppRoute } from './change-app.ts';
import { createAppRoute } from './create-app.ts';
import { disconnectAppRoute } from './disconnect-app.ts';
import { getAppRoute } from './get-app.ts';
import { getBridgeAppRoute } from './get-bridge-app.ts';
import { listAppsRoute } from './list-apps.ts';
import { listBridgeAppsRoute } from './list-bridge-apps.ts';
import { listBridgeResourceTypesRoute } from './list-bridge-resource-types.ts';
import { listConnectionRequestsRoute } from './list-connection-requests.ts';
import { listResourceTypesRoute } from './list-resource-types.ts';
import { reconnectAppRoute } from './reconnect-app.ts';
import { registerResourceTypeRoute } from './register-resource-type.ts';
import { renameResourceTypeRoute } from './rename-resource-type.ts';
import { reportCheckRoute } from './report-check.ts';
import { requestConnectionRoute } from './request-connection.ts';

/** Apps and resource types for connectors (protocol 4.1 to 4.3, D12 to D14). */
export function bridgeAppRoutes(http: Http, tools: RouteTools) {
  createAppRoute(http, tools);
  listBridgeAppsRoute(http, tools);
  getBridgeAppRoute(http, tools);
  listBridgeResourceTypesRoute(http, tools);
  registerResourceTypeRoute(http, tools);
  renameResourceTypeRoute(http, tools);
}

/** The connection check of a connector (D13). */
export function checkRoutes(http: Http, tools: RouteTools) {
  reportCheckRoute(http, tools);
}

/** Apps for administrators (protocol 11). */
export function adminAppRoutes(
  http: Http,
  tools: RouteTools & ReadActivity & { onArchive: readonly ArchiveHook[] },
) {
  listAppsRoute(http, tools);
  getAppRoute(http, tools);
  listResourceTypesRoute(http, tools);
  changeAppRoute(http, tools);
  archiveAppRoute(http, tools);
  disconnectAppRoute(http, tools);
  reconnectAppRoute(http, tools);
}

/** Requests to connect an application (protocol 11). */
export function connectionRequestRoutes(http: Http, tools: RouteTools) {
  listConnectionRequestsRoute(http, tools);
  requestConnectionRoute(http, tools);
}
