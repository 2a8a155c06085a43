import type { Database } from '../../../kit/database/open.ts';
import { addRoutes } from '../../../kit/http/route.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { findRoute } from './find.ts';
import { getOverviewRoute } from './get-overview.ts';

export const overviewRoutes = (http: Http, tools: RouteTools & { database: Pick<Database, 'prepared'> }) =>
  addRoutes(http, tools, [getOverviewRoute(tools.database), findRoute]);
