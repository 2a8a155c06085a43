import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { getTeamMemberRoute, listTeamRoute } from './my-team.ts';

/** The people who report to the caller. */
export function teamRoutes(http: Http, tools: RouteTools) {
  listTeamRoute(http, tools);
  getTeamMemberRoute(http, tools);
}
