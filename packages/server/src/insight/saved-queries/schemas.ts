import { type Static, Type } from 'typebox';
import { PersonReference } from '#directory/people/reference.ts';
import { AppName } from '#inventory/apps/reference.ts';
import { Component, MapOf, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { QueryDefinition } from './definition.ts';

const QueryFieldValue = Type.Unknown({
  description: 'A text, a number, true, false, a list of texts, or null.',
});

/** A row of a query, with the things that it is about. */
export const QueryRow = Component('QueryRow', {
  user: Nullable(PersonReference),
  account: Nullable(
    Component('QueryAccount', { external_uuid: Uuid, email: Type.String(), username: Type.String() }),
  ),
  app: Nullable(AppName),
  resource: Nullable(
    Component('QueryResource', {
      external_uuid: Uuid,
      name: Type.String(),
      slug: Type.String(),
      id: Type.String(),
    }),
  ),
  fields: MapOf(QueryFieldValue, {
    description: 'The columns by name. A person is shown by email, and an app by name.',
  }),
});
export type ResultRow = Omit<Static<typeof QueryRow>, 'fields'> & { fields: Record<string, FieldValue> };
export type FieldValue = string | number | boolean | null | string[];

export const QueryField = Component('QueryField', {
  name: Type.String({ description: '`user.attributes.` and `account.attributes.` are followed by a name.' }),
  type: Type.Enum(['text', 'choice', 'choices', 'texts', 'flag', 'time', 'day', 'count', 'id'], {
    description: '`choices` and `texts` have several values. `id` names a user or an app.',
  }),
  description: Type.String(),
  subjects: Type.Array(Type.String()),
  operators: Type.Array(
    Component('QueryOperator', {
      name: Type.String(),
      takes: Type.Enum(['nothing', 'one', 'several', 'days'], {
        description: 'The value: none, one, one or a list, or a number of days.',
      }),
    }),
  ),
  values: Nullable(Type.Array(Type.String(), { description: 'The values of a choice.' })),
  names: Nullable(Type.Enum(['user', 'app'])),
  sortable: Type.Boolean(),
});

export const EVERY = ['daily', 'weekly', 'monthly'] as const;

/** When a saved query runs, in the organization's time zone. */
export const QuerySchedule = Component('QuerySchedule', {
  every: Type.Enum([...EVERY]),
  hour: Type.Optional(Type.Integer({ minimum: 0, maximum: 23, default: 8 })),
  weekday: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 7, description: 'With weekly: 1 for Monday, the default.' }),
    ),
  ),
  day: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 31,
        description: 'With monthly: the day of the month, or the last day of a shorter month. 1 by default.',
      }),
    ),
  ),
  recipients: Type.Array(Uuid, {
    minItems: 1,
    maxItems: 50,
    description: 'The people who get an email: active owners, administrators and auditors.',
  }),
});
export type Schedule = Static<typeof QuerySchedule>;

const Name = Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' });

export const queryFields = {
  name: Name,
  query: QueryDefinition,
  shared: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether all owners, administrators and auditors see it.' }),
  ),
  schedule: Type.Optional(Nullable(QuerySchedule)),
};

export const STOP_REASONS = [
  'owner_left',
  'owner_may_not',
  'no_recipients',
  'query_invalid',
  'too_slow',
  'failed',
] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const SavedQueryView = Component('SavedQuery', {
  external_uuid: Uuid,
  name: Type.String(),
  owner: PersonReference,
  query: Component('SavedQueryDefinition', {
    subject: QueryDefinition.properties.subject,
    conditions: Type.Array(
      Component('SavedQueryCondition', {
        field: Type.String(),
        operator: Type.String(),
        value: Type.Optional(QueryFieldValue),
      }),
    ),
    columns: Type.Array(Type.String()),
    sort: Type.String(),
  }),
  shared: Type.Boolean(),
  schedule: Nullable(
    Component('SavedQuerySchedule', {
      every: Type.Enum([...EVERY]),
      hour: Type.Integer(),
      weekday: Nullable(Type.Integer()),
      day: Nullable(Type.Integer()),
      recipients: Type.Array(PersonReference),
    }),
  ),
  next_run_at: Nullable(Timestamp),
  last_run_at: Nullable(Timestamp),
  last_count: Nullable(Type.Integer({ description: 'The rows that the last scheduled run found.' })),
  stopped: Nullable(
    Type.Enum([...STOP_REASONS], { description: 'Why Gatehouse stopped the schedule. null: it did not.' }),
  ),
  may_change: Type.Boolean({ description: 'Whether the caller may change it.' }),
  may_delete: Type.Boolean({ description: 'Whether the caller may delete it.' }),
  created_at: Timestamp,
  updated_at: Timestamp,
});
