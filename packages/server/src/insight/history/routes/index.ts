import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { listPeriodsRoute } from './access.ts';
import { comparisonRoutes } from './compare.ts';

export const historyRoutes = (http: Http, tools: RouteTools) =>
  addRoutes(http, tools, [listPeriodsRoute, ...comparisonRoutes]);
