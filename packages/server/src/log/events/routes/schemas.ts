import { type TSchema, Type } from 'typebox';
import { Component, ErrorBody, Nullable, Timestamp, Uuid } from '../../../kit/http/schemas.ts';
import { ACTOR_TYPES, SOURCE_TYPES } from '../../../kit/identity/cause.ts';
import { CATALOGS, CATEGORIES, SEVERITIES, SUBJECT_TYPES } from '../catalog.ts';

export const Category = Type.Enum([...CATEGORIES]);
export const Severity = Type.Enum([...SEVERITIES]);
export const SubjectType = Type.Enum([...SUBJECT_TYPES]);
export const SourceType = Type.Enum([...SOURCE_TYPES]);

export const Event = Component('Event', {
  event_id: Uuid,
  event_type: Type.String(),
  event_version: Type.Integer(),
  category: Category,
  severity: Severity,
  occurred_at: Timestamp,
  ingested_at: Timestamp,
  actor: Type.Object({
    type: Type.Enum([...ACTOR_TYPES]),
    uuid: Nullable(Uuid),
    ip: Type.Optional(Type.String()),
    user_agent: Type.Optional(Type.String()),
  }),
  subject: Type.Object({ type: SubjectType, uuid: Uuid }),
  source: Type.Object({ type: SourceType, uuid: Nullable(Uuid) }),
  payload: Type.Object({}, { additionalProperties: true }),
});

/** The access to events of all endpoints. */
export const access = { scope: 'events' } as const;
export const tags = ['Events'];

export const responses = <T extends TSchema>(body: T) => ({
  200: body,
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  404: ErrorBody,
  429: ErrorBody,
});

export const text = (description: string) => Type.Optional(Type.String({ description }));

/** The filters of the log (protocol 4.11). */
export const filterQuery = {
  catalog: text(
    `One of ${CATALOGS.join(', ')}. Default: contract, or both catalogs if event_type, event_type_prefix, category or sync_uuid is given.`,
  ),
  event_type: text('Exact match.'),
  event_type_prefix: text(
    'Prefix match. Must end with a dot. Without `catalog`, a prefix that types of both catalogs have finds those of the contract.',
  ),
  category: text(`One of ${CATEGORIES.join(', ')}.`),
  severity: text(`Comma-separated list of ${SEVERITIES.join(', ')}.`),
  occurred_at__gte: text('At or after this time, ISO 8601.'),
  occurred_at__lte: text('At or before this time, ISO 8601.'),
  actor_uuid: text('UUID of the actor.'),
  subject_uuid: text('UUID of the subject.'),
  actor_ip: text('IP address of the actor.'),
  sync_uuid: text(
    'UUID of a sync session: the start and end of the sync, held removals, and a revert. Both catalogs by default.',
  ),
};
