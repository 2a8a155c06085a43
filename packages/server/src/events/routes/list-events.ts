import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { type EventLog, listEvents } from '../list.ts';
import { momentToIso } from '../moment.ts';
import { keyCheckedByQuery } from './guards.ts';
import { Event, filterQuery, responses, tags, text } from './schemas.ts';
import { sendJson } from './send-json.ts';

const Query = Type.Object({
  cursor: text(
    'The `next_cursor` or `previous_cursor` of an earlier response. Filters in the request replace those of the cursor.',
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: 50,
      description: 'The number of events to return. Values above 200 are treated as 200.',
    }),
  ),
  ...filterQuery,
});

const EventPage = Type.Object({
  next_cursor: Type.String({
    description: 'Store it and pass it as `cursor` to continue. It never expires.',
  }),
  previous_cursor: Type.String({
    description: 'Returns the events just newer than this page. It never expires and can be polled.',
  }),
  results: Type.Array(Event, { description: 'Newest first. Empty if the reader has caught up.' }),
});

/** Set if retention removed events that the cursor had not delivered: the time from which events remain. */
const CLAMPED_HEADER = 'Gatehouse-Events-Retained-From';

/** Lists events by cursor (protocol 4.11). */
export function listEventsRoute(http: Http, log: EventLog) {
  http.get(
    '/api/events/',
    {
      ...keyCheckedByQuery(log),
      schema: { tags, summary: 'List events', querystring: Query, response: responses(EventPage) },
    },
    async (request, reply) => {
      const page = await listEvents(log, request.principal, request.query, request.reads);
      if (page.clampedTo !== null) reply.header(CLAMPED_HEADER, momentToIso(page.clampedTo));
      return sendJson(
        reply,
        `{"next_cursor":"${page.nextCursor}","previous_cursor":"${page.previousCursor}","results":[${page.results}]}`,
      );
    },
  );
}
