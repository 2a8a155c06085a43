import { addRoutes } from '../../../kit/http/route.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { teamRoutes as routes } from './my-team.ts';

/** The people who report to the caller. */
export const teamRoutes = (http: Http, tools: RouteTools) => addRoutes(http, tools, routes);
