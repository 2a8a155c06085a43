import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { DomainError, notFound } from '#kit/errors.ts';
import { route } from '#kit/http.ts';
import { requireAllApps } from '#kit/identity.ts';
import { Component, Timestamp, Uuid } from '#kit/schemas.ts';
import { eventFilters } from '../filters.ts';
import { eventHistogram } from '../histogram.ts';
import { confirmKey, type EventLog, findEvent, listEvents } from '../list.ts';
import { momentToIso } from '../moment.ts';
import { access, Event, replies, tag } from './schemas.ts';
import { sendJson } from './send-json.ts';

/** Events concern the whole organization, so an app-scoped key cannot read them (D7). */
const refuseListedKeys = ({ principal }: FastifyRequest) => requireAllApps(principal, 'reading events');

/**
 * For operations whose statement checks the key itself. The cached key may have been revoked since: then 401 takes precedence over any
 * other error (D6).
 */
const keyCheckedByQuery = (log: EventLog) => ({
  config: { access, confirmsKey: true, reads: 'replica', ignoresUnknownQuery: true } as const,
  before: refuseListedKeys,
  options: {
    errorHandler: async (error: Error, { principal }: FastifyRequest) => {
      const isFinal =
        error instanceof DomainError && (error.code === 'unauthenticated' || error.code === 'throttled');
      if (principal && !isFinal) await confirmKey(log, principal);
      throw error;
    },
  },
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

export const eventRoutes = (log: EventLog) => [
  // Protocol 4.11
  route(
    'GET',
    '/api/events/',
    {
      ...keyCheckedByQuery(log),
      tag,
      summary: 'List events',
      query: {
        cursor: Type.Optional(
          Type.String({
            description:
              'The `next_cursor` or `previous_cursor` of an earlier response. Filters in the request replace those of the cursor.',
          }),
        ),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            default: 50,
            description: 'The number of events to return. Values above 200 are treated as 200.',
          }),
        ),
        ...eventFilters,
      },
      reply: EventPage,
      replies,
    },
    async ({ call, query, request, reply }) => {
      const page = await listEvents(log, call.principal, query, request.reads);
      if (page.clampedTo !== null) reply.header(CLAMPED_HEADER, momentToIso(page.clampedTo));
      return sendJson(
        reply,
        `{"next_cursor":"${page.nextCursor}","previous_cursor":"${page.previousCursor}","results":[${page.results}]}`,
      );
    },
  ),
  // Protocol 4.12
  route(
    'GET',
    '/api/events/:external_uuid/',
    {
      ...keyCheckedByQuery(log),
      tag,
      summary: 'Get one event',
      params: { external_uuid: Uuid },
      reply: Event,
      replies,
    },
    async ({ call, params, request, reply }) => {
      const event = await findEvent(log, call.principal, params.external_uuid, request.reads);
      if (event === undefined) throw notFound('Event');
      return sendJson(reply, event);
    },
  ),
  route(
    'GET',
    '/api/events/histogram/',
    {
      tag,
      config: { access, reads: 'replica' },
      before: refuseListedKeys,
      summary: 'Count events by time',
      description:
        'Counts the events that match the filters, by the interval in which they occurred. Without a range, it covers the whole log. A range ends now at the latest. Intervals are aligned with the clock in UTC.',
      query: eventFilters,
      reply: Histogram,
      replies,
    },
    ({ call, query }) => eventHistogram(call, query),
  ),
];
