import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { ReadActivity } from '../admin.ts';
import {
  archiveAppRoute,
  changeAppRoute,
  disconnectAppRoute,
  getAppRoute,
  listAppsRoute,
  listResourceTypesRoute,
  reconnectAppRoute,
} from './apps.ts';
import {
  createAppRoute,
  getBridgeAppRoute,
  listBridgeAppsRoute,
  listBridgeResourceTypesRoute,
  registerResourceTypeRoute,
  renameResourceTypeRoute,
  reportCheckRoute,
} from './bridge.ts';
import { listConnectionRequestsRoute, requestConnectionRoute } from './connection-requests.ts';

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
export function adminAppRoutes(http: Http, tools: RouteTools & ReadActivity) {
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
