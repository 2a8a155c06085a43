import { addRoutes } from '../../../kit/http/route.ts';
import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { holdRoutes as routes } from './holds.ts';

/** Holds of changes of people (D78). */
export const holdRoutes = (http: Http, tools: RouteTools) => addRoutes(http, tools, routes);
