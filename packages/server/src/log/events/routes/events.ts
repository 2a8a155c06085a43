import { Type } from 'typebox';
import { within } from '../../../kit/database/organization.ts';
import { notFound } from '../../../kit/errors.ts';
import { Component, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { eventHistogram } from '../histogram.ts';
import { type EventLog, findEvent, listEvents } from '../list.ts';
import { momentToIso } from '../moment.ts';
import { keyCheckedByQuery, refuseListedKeys } from './guards.ts';
import { access, Event, filterQuery, responses, tags, text } from './schemas.ts';
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

const EventPage = Component('EventPage', {
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

/** Returns one event (protocol 4.12). */
export function getEventRoute(http: Http, log: EventLog) {
  http.get(
    '/api/events/:external_uuid/',
    {
      ...keyCheckedByQuery(log),
      schema: {
        tags,
        summary: 'Get one event',
        params: Type.Object({ external_uuid: Uuid }),
        response: responses(Event),
      },
    },
    async (request, reply) => {
      const { principal, params, reads } = request;
      const event = await findEvent(log, principal, params.external_uuid, reads);
      if (event === undefined) throw notFound('Event');
      return sendJson(reply, event);
    },
  );
}

const Histogram = Component('EventHistogram', {
  seconds: Type.Integer({ description: 'The length of each interval.' }),
  more: Type.Boolean({
    description:
      'Whether counting stopped, so that the counts of the oldest intervals are too low. It stops after the newest 200,000 events of a catalog.',
  }),
  buckets: Type.Array(Component('EventCount', { from: Timestamp, count: Type.Integer({ minimum: 0 }) }), {
    description: 'At most 60 intervals, oldest first, also those without events.',
  }),
});

export function eventHistogramRoute(http: Http) {
  http.get(
    '/api/events/histogram/',
    {
      config: { access, reads: 'replica' },
      preValidation: refuseListedKeys,
      schema: {
        tags,
        summary: 'Count events by time',
        description:
          'Counts the events that match the filters, by the interval in which they occurred. Without a range, it covers the whole log. A range ends now at the latest. Intervals are aligned with the clock in UTC.',
        querystring: Type.Object(filterQuery),
        response: responses(Histogram),
      },
    },
    async (request) => eventHistogram(within(request.reads.db, request.principal.orgId), request.query),
  );
}
