import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { listHoldPeopleRoute, previewHoldRoute } from './affected.ts';
import { confirmHoldRoute, discardHoldRoute, getHoldRoute, listHoldsRoute } from './holds.ts';

/** Holds of changes of people (D78). */
export function holdRoutes(http: Http, tools: RouteTools) {
  listHoldsRoute(http, tools);
  getHoldRoute(http, tools);
  listHoldPeopleRoute(http, tools);
  previewHoldRoute(http, tools);
  confirmHoldRoute(http, tools);
  discardHoldRoute(http, tools);
}
