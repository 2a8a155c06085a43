import type { Http } from '../../../kit/http/server.ts';
import { findRoute } from './find.ts';
import { getOverviewRoute, type OverviewTools } from './get-overview.ts';

export function overviewRoutes(http: Http, tools: OverviewTools) {
  getOverviewRoute(http, tools);
  findRoute(http);
}
