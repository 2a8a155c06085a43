import type { Database } from '../../../../kit/database/open.ts';
import type { Http, RouteTools } from '../../../../kit/http/server.ts';
import type { Jobs } from '../../../../kit/jobs/jobs.ts';
import type { CountExpecting } from '../../publication/plan/plan.ts';
import type { SyncQuotas } from '../quota.ts';
import type { RevertHook } from '../revert.ts';
import { abandonSessionRoute, completeSessionRoute, showSessionRoute, startSessionRoute } from './bridge.ts';
import { pushPageRoute } from './push-page.ts';
import {
  approveRemovalRoute,
  getSessionRoute,
  listRecentSessionsRoute,
  listSessionsRoute,
  rejectRemovalRoute,
  revertSessionRoute,
  showPlanRoute,
} from './syncs.ts';

export interface SyncRouteTools extends RouteTools {
  database: Database;
  jobs: Jobs;
  syncQuotas: SyncQuotas | undefined;
}

/** Sync sessions for connectors (protocol 4.4 to 4.8). */
export function syncRoutes(http: Http, tools: SyncRouteTools) {
  startSessionRoute(http, tools);
  pushPageRoute(http, tools);
  completeSessionRoute(http, tools);
  abandonSessionRoute(http, tools);
  showSessionRoute(http, tools);
}

/** Sync sessions and held removals for administrators. */
export function adminSyncRoutes(
  http: Http,
  tools: RouteTools & { jobs: Jobs; revertHook: RevertHook; countExpecting: CountExpecting },
) {
  listSessionsRoute(http, tools);
  listRecentSessionsRoute(http, tools);
  getSessionRoute(http, tools);
  approveRemovalRoute(http, tools);
  rejectRemovalRoute(http, tools);
  revertSessionRoute(http, tools);
  showPlanRoute(http, tools);
}
