import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { teamRoutes as routes } from './my-team.ts';

/** The people who report to the caller. */
export const teamRoutes = (http: Http, tools: RouteTools) => addRoutes(http, tools, routes);
