import type { Http } from '../../platform/http/server.ts';
import type { EventLog } from '../list.ts';
import { eventHistogramRoute } from './event-histogram.ts';
import { getEventRoute } from './get-event.ts';
import { listEventTypesRoute } from './list-event-types.ts';
import { listEventsRoute } from './list-events.ts';

export function eventRoutes(http: Http, log: EventLog) {
  listEventsRoute(http, log);
  getEventRoute(http, log);
  eventHistogramRoute(http);
  listEventTypesRoute(http);
}
