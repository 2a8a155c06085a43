import type { Http } from '../../../kit/http/server.ts';
import { compareRoute, countChangesRoute } from './compare.ts';
import { listPeriodsRoute } from './list-periods.ts';

export function historyRoutes(http: Http) {
  listPeriodsRoute(http);
  compareRoute(http);
  countChangesRoute(http);
}
