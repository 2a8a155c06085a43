import type { Http, RouteTools } from '../../platform/http/server.ts';
import { compareRoute } from './compare.ts';
import { countChangesRoute } from './count-changes.ts';
import { listPeriodsRoute } from './list-periods.ts';

export function historyRoutes(http: Http, tools: RouteTools) {
  listPeriodsRoute(http, tools);
  compareRoute(http, tools);
  countChangesRoute(http, tools);
}
