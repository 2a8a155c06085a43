import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { ACTOR_TYPES, SOURCE_TYPES } from '../identity/cause.ts';
import { DomainError, forbidden, notFound } from '../platform/errors.ts';
import { ErrorBody, Nullable, Timestamp, Uuid } from '../platform/http/schemas.ts';
import type { Http } from '../platform/http/server.ts';
import {
  CATEGORIES,
  catalog,
  categoryOf,
  EVENT_TYPES,
  SEVERITIES,
  SUBJECT_TYPES,
  severityOf,
} from './catalog.ts';
import { confirmKey, type EventLog, findEvent, listEvents } from './list.ts';
import { momentToIso } from './moment.ts';

const Event = Type.Object({
  event_id: Uuid,
  event_type: Type.String(),
  event_version: Type.Integer(),
  category: Type.Enum([...CATEGORIES]),
  severity: Type.Enum([...SEVERITIES]),
  occurred_at: Timestamp,
  ingested_at: Timestamp,
  actor: Type.Object({
    type: Type.Enum([...ACTOR_TYPES]),
    uuid: Nullable(Uuid),
    ip: Type.Optional(Type.String()),
    user_agent: Type.Optional(Type.String()),
  }),
  subject: Type.Object({ type: Type.Enum([...SUBJECT_TYPES]), uuid: Uuid }),
  source: Type.Object({ type: Type.Enum([...SOURCE_TYPES]), uuid: Nullable(Uuid) }),
  payload: Type.Object({}, { additionalProperties: true }),
});

const EventPage = Type.Object({
  next_cursor: Type.String({
    description: 'Store it and pass it as cursor: it never expires, and continues for ever.',
  }),
  previous_cursor: Type.String({
    description: 'The page just newer than this one; can be polled for ever too.',
  }),
  results: Type.Array(Event, { description: 'Newest first. Empty: the reader has caught up.' }),
});

const text = (description: string) => Type.Optional(Type.String({ description }));
const EventQuery = Type.Object({
  cursor: text(
    'next_cursor or previous_cursor of an earlier answer. Filters given with it replace those that it carries.',
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 50, description: 'Page size; more than 200 is read as 200.' }),
  ),
  event_type: text('Exact match.'),
  event_type_prefix: text('Prefix match; must end with a dot.'),
  category: text(CATEGORIES.join(', ')),
  severity: text(`Comma-separated list of ${SEVERITIES.join(', ')}.`),
  occurred_at__gte: text('At or after, ISO 8601.'),
  occurred_at__lte: text('At or before, ISO 8601.'),
  actor_uuid: text('UUID of the actor.'),
  subject_uuid: text('UUID of the subject.'),
  actor_ip: text('IP address of the actor.'),
});

const EventTypes = Type.Object({
  results: Type.Array(
    Type.Object({
      event_type: Type.String(),
      event_version: Type.Integer(),
      description: Type.String(),
      category: Type.String(),
      severity: Type.String(),
      subject_types: Type.Array(Type.String()),
      source_types: Type.Array(Type.String()),
      payload_schema: Type.Unknown({ description: 'JSON Schema of the payload.' }),
    }),
  ),
});

/** Says from when on there are events, where retention has taken some that the cursor had still to read. */
const CLAMPED_HEADER = 'Gatehouse-Events-Retained-From';

const access = { scope: 'events' } as const;
const tags = ['Events'];
const responses = <T extends TSchema>(answer: T) => ({
  200: answer,
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  404: ErrorBody,
  429: ErrorBody,
});

/** The events API (contract 4.11, 4.12). Its statements confirm the key themselves. */
export function eventRoutes(http: Http, log: EventLog) {
  const config = { access, confirmsKey: true };
  // A remembered key may be dead by now; then that, and not what else is wrong, is the answer (D6).
  const errorHandler = async (error: Error, { principal }: FastifyRequest) => {
    const isDecided =
      error instanceof DomainError && (error.code === 'unauthenticated' || error.code === 'throttled');
    if (principal && !isDecided) await confirmKey(log, principal);
    throw error;
  };

  http.get(
    '/api/events/',
    {
      config,
      preValidation: refuseListedKeys,
      errorHandler,
      schema: { tags, summary: 'List events', querystring: EventQuery, response: responses(EventPage) },
    },
    async (request, reply) => {
      const page = await listEvents(log, request.principal, request.query);
      if (page.clampedTo !== null) reply.header(CLAMPED_HEADER, momentToIso(page.clampedTo));
      return sendJson(
        reply,
        `{"next_cursor":"${page.nextCursor}","previous_cursor":"${page.previousCursor}","results":[${page.results}]}`,
      );
    },
  );

  http.get(
    '/api/events/:external_uuid/',
    {
      config,
      preValidation: refuseListedKeys,
      errorHandler,
      schema: {
        tags,
        summary: 'Get one event',
        params: Type.Object({ external_uuid: Uuid }),
        response: responses(Event),
      },
    },
    async (request, reply) => {
      const event = await findEvent(log, request.principal, request.params.external_uuid);
      if (event === undefined) throw notFound('Event');
      return sendJson(reply, event);
    },
  );

  http.get(
    '/api/event-types/',
    { config: { access }, schema: { tags, summary: 'List event types', response: { 200: EventTypes } } },
    async (_request, reply) => sendJson(reply, TYPES),
  );
}

/** The log is the whole organization's (D7). */
async function refuseListedKeys({ principal }: FastifyRequest) {
  if (principal.apps !== 'all')
    throw forbidden('This key is for listed apps; events need a key for all apps.');
}

/** JSON that is text already: what the database has put together is not parsed and written again. */
const sendJson = (reply: FastifyReply, json: string) =>
  reply.type('application/json; charset=utf-8').serializer(AS_IT_IS).send(json);
const AS_IT_IS = (json: unknown) => json as string;

const TYPES = JSON.stringify({
  results: EVENT_TYPES.map((type) => ({
    event_type: type,
    event_version: catalog[type].version,
    description: catalog[type].meaning,
    category: categoryOf(type),
    severity: severityOf(type),
    subject_types: catalog[type].subjects,
    source_types: catalog[type].sources,
    payload_schema: catalog[type].payload,
  })),
});
