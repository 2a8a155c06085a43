import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getTeamMemberRoute } from './get-team-member.ts';
import { listTeamRoute } from './list-team.ts';

/** The people who report to the caller. */
export function teamRoutes(http: Http, tools: RouteTools) {
  listTeamRoute(http, tools);
  getTeamMemberRoute(http, tools);
}
