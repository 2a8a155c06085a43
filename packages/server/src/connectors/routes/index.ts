import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { ConnectorTools } from '../connectors.ts';
import { cancelRunRoute } from './cancel-run.ts';
import { changeConnectorRoute } from './change-connector.ts';
import { checkDefinitionRoute } from './check-definition.ts';
import { createConnectorRoute } from './create-connector.ts';
import { deleteConnectorRoute } from './delete-connector.ts';
import { getConnectorRoute } from './get-connector.ts';
import { getRunRoute } from './get-run.ts';
import { listConnectorTypesRoute } from './list-connector-types.ts';
import { listConnectorsRoute } from './list-connectors.ts';
import { listRunsRoute } from './list-runs.ts';
import { startRunRoutes } from './start-run.ts';

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
