import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import type { ConnectorTools } from '../connectors.ts';
import { connectorRoutes as ofApp, runRoutes } from './connector.ts';
import { connectorsRoutes } from './connectors.ts';

/** The connectors that the server runs (docs/guides/managed-connectors.md). */
export const connectorRoutes = (http: Http, tools: RouteTools & ConnectorTools) =>
  addRoutes(http, tools, [...connectorsRoutes, ...ofApp(tools), ...runRoutes]);
