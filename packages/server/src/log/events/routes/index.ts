import type { Http } from '../../../kit/http/server.ts';
import type { EventLog } from '../list.ts';
import { eventHistogramRoute, getEventRoute, listEventsRoute } from './events.ts';
import { listEventTypesRoute } from './list-event-types.ts';

export function eventRoutes(http: Http, log: EventLog) {
  listEventsRoute(http, log);
  getEventRoute(http, log);
  eventHistogramRoute(http);
  listEventTypesRoute(http);
}
