import { Type } from 'typebox';
import type { Http } from '../../platform/http/server.ts';
import { CATALOGS, CATEGORIES, SEVERITIES } from '../catalog.ts';
import { type EventLog, listEvents } from '../list.ts';
import { momentToIso } from '../moment.ts';
import { keyCheckedByQuery } from './guards.ts';
import { Event, responses, tags } from './schemas.ts';
import { sendJson } from './send-json.ts';

const text = (description: string) => Type.Optional(Type.String({ description }));

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
  catalog: text(
    `One of ${CATALOGS.join(', ')}. Default: contract, or both catalogs if event_type, event_type_prefix or category is given.`,
  ),
  event_type: text('Exact match.'),
  event_type_prefix: text('Prefix match. Must end with a dot.'),
  category: text(`One of ${CATEGORIES.join(', ')}.`),
  severity: text(`Comma-separated list of ${SEVERITIES.join(', ')}.`),
  occurred_at__gte: text('At or after this time, ISO 8601.'),
  occurred_at__lte: text('At or before this time, ISO 8601.'),
  actor_uuid: text('UUID of the actor.'),
  subject_uuid: text('UUID of the subject.'),
  actor_ip: text('IP address of the actor.'),
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
