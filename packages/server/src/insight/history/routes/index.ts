import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { listPeriodsRoute } from './access.ts';
import { activityRoute } from './activity.ts';
import { comparisonRoutes } from './compare.ts';
import { marksRoute } from './marks.ts';

export const historyRoutes = (http: Http, tools: RouteTools) =>
  addRoutes(http, tools, [listPeriodsRoute, marksRoute, ...comparisonRoutes, activityRoute]);
