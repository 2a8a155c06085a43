import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import type { EventLog } from '../list.ts';
import { eventRoutes as routes } from './events.ts';
import { listEventTypesRoute } from './list-event-types.ts';

export const eventRoutes = (http: Http, tools: RouteTools, log: EventLog) =>
  addRoutes(http, tools, [...routes(log), listEventTypesRoute]);
