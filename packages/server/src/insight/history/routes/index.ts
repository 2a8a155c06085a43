import { addRoutes } from '../../../kit/http/route.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { listPeriodsRoute } from './access.ts';
import { comparisonRoutes } from './compare.ts';

export const historyRoutes = (http: Http, tools: RouteTools) =>
  addRoutes(http, tools, [listPeriodsRoute, ...comparisonRoutes]);
