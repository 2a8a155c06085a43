import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { findRoute } from './find.ts';
import { getOverviewRoute } from './get-overview.ts';

export function overviewRoutes(http: Http, tools: RouteTools) {
  getOverviewRoute(http, tools);
  findRoute(http);
}
