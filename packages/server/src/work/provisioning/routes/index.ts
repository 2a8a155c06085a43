import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { type BridgeTools, bridgeRoutes } from './bridge.ts';
import { heldTaskRoutes } from './held-tasks.ts';
import { manualTaskRoutes, type TaskTools } from './tasks.ts';
import { previewUserNamesRoute } from './user-names.ts';

/** Tasks as people read and create them. */
export const taskRoutes = (http: Http, tools: RouteTools & TaskTools) =>
  addRoutes(http, tools, [...manualTaskRoutes(tools), ...heldTaskRoutes, previewUserNamesRoute]);

/** Tasks as connectors read and report them. */
export const bridgeTaskRoutes = (http: Http, tools: RouteTools & BridgeTools) =>
  addRoutes(http, tools, bridgeRoutes(tools));
