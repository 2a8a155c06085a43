import type { Database } from '../../platform/database/open.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { RevertHook } from '../revert.ts';
import type { AccountsHook } from '../session.ts';
import { abandonSessionRoute } from './abandon-session.ts';
import { approveRemovalRoute } from './approve-removal.ts';
import { completeSessionRoute } from './complete-session.ts';
import { getSessionRoute } from './get-session.ts';
import { listRecentSessionsRoute } from './list-recent-sessions.ts';
import { listSessionsRoute } from './list-sessions.ts';
import { pushPageRoute } from './push-page.ts';
import { rejectRemovalRoute } from './reject-removal.ts';
import { revertSessionRoute } from './revert-session.ts';
import { showPlanRoute } from './show-plan.ts';
import { showSessionRoute } from './show-session.ts';
import { startSessionRoute } from './start-session.ts';

export interface SyncRouteTools extends RouteTools {
  database: Database;
  jobs: Jobs;
  onNoLongerAwaited: AccountsHook;
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
export function adminSyncRoutes(http: Http, tools: RouteTools & { jobs: Jobs; revertHook: RevertHook }) {
  listSessionsRoute(http, tools);
  listRecentSessionsRoute(http, tools);
  getSessionRoute(http, tools);
  approveRemovalRoute(http, tools);
  rejectRemovalRoute(http, tools);
  revertSessionRoute(http, tools);
  showPlanRoute(http, tools);
}
