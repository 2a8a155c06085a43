import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { holdRoutes as routes } from './holds.ts';

/** Holds of changes of people (D78). */
export const holdRoutes = (http: Http, tools: RouteTools) => addRoutes(http, tools, routes);
