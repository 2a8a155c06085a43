import type { Http } from '../../platform/http/server.ts';
import { compareRoute } from './compare.ts';
import { countChangesRoute } from './count-changes.ts';
import { listPeriodsRoute } from './list-periods.ts';

export function historyRoutes(http: Http) {
  listPeriodsRoute(http);
  compareRoute(http);
  countChangesRoute(http);
}
