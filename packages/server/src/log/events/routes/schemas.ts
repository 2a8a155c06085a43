import { Type } from 'typebox';
import { ACTOR_TYPES, SOURCE_TYPES } from '#kit/identity.ts';
import { Component, ErrorBody, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { CATEGORIES, SEVERITIES, SUBJECT_TYPES } from '../catalog.ts';

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
export const tag = 'Events';

/** The errors of the operations that the protocol names. */
export const replies = {
  400: ErrorBody,
  401: ErrorBody,
  403: ErrorBody,
  404: ErrorBody,
  429: ErrorBody,
};
