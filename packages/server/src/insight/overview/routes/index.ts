import type { Database } from '#kit/database.ts';
import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { findRoute } from './find.ts';
import { getOverviewRoute } from './get-overview.ts';
import { workRoute } from './work.ts';

export const overviewRoutes = (http: Http, tools: RouteTools & { database: Pick<Database, 'prepared'> }) =>
  addRoutes(http, tools, [getOverviewRoute(tools.database), findRoute, workRoute]);
