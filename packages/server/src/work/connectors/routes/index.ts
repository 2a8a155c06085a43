import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { ConnectorTools } from '../connectors.ts';
import {
  cancelRunRoute,
  changeConnectorRoute,
  createConnectorRoute,
  deleteConnectorRoute,
  getConnectorRoute,
  getRunRoute,
  listRunsRoute,
  startRunRoutes,
} from './connector.ts';
import { checkDefinitionRoute, listConnectorTypesRoute } from './connectors.ts';
import { listConnectorsRoute } from './list-connectors.ts';

/** The connectors that the server runs (docs/managed-connectors.md). */
export function connectorRoutes(http: Http, tools: RouteTools & ConnectorTools) {
  listConnectorTypesRoute(http);
  checkDefinitionRoute(http);
  listConnectorsRoute(http, tools);
  createConnectorRoute(http, tools);
  getConnectorRoute(http, tools);
  changeConnectorRoute(http, tools);
  deleteConnectorRoute(http, tools);
  startRunRoutes(http, tools);
  listRunsRoute(http, tools);
  getRunRoute(http, tools);
  cancelRunRoute(http, tools);
}
