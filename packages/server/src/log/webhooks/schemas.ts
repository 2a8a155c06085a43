import { type Static, Type } from 'typebox';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import { CATALOGS, CATEGORIES, SEVERITIES } from '#log/events/catalog.ts';
import type { Filters as EventFilters } from '#log/events/filters.ts';

/** The filters of the events API, except for those by the time of the event and by a single sync. */
type FilterName = Exclude<keyof EventFilters, `occurred_at__${string}` | 'sync_uuid'>;

const text = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }));

const Filters = Component(
  'WebhookFilters',
  {
    catalog: text(
      `One of ${CATALOGS.join(', ')}. Default: contract, or both catalogs if event_type, event_type_prefix or category is given.`,
    ),
    event_type: text('Exact match.'),
    event_type_prefix: text(
      'Prefix match. Must end with a dot. Without `catalog`, a prefix that types of both catalogs have finds those of the contract.',
    ),
    category: text(`One of ${CATEGORIES.join(', ')}.`),
    severity: text(`Comma-separated list of ${SEVERITIES.join(', ')}.`),
    actor_uuid: text('UUID of the actor.'),
    subject_uuid: text('UUID of the subject.'),
    actor_ip: text('IP address of the actor.'),
  } satisfies Record<FilterName, unknown>,
  { additionalProperties: false, description: 'The filters of the events API.' },
);

/** The fields of a webhook that an administrator writes. */
export const webhookFields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  url: Type.String({ minLength: 1, maxLength: 2048, description: 'An https address.' }),
  filters: Type.Optional(Filters),
  enabled: Type.Optional(Type.Boolean({ description: 'false pauses the deliveries.' })),
};

const fields = {
  id: Uuid,
  name: Type.String(),
  url: Type.String(),
  filters: Filters,
  enabled: Type.Boolean(),
  status: Type.Enum(['active', 'failing', 'paused', 'disabled']),
  disabled_reason: Nullable(
    Type.String({ description: 'Why Gatehouse disabled the webhook. Null if a person paused it.' }),
  ),
  position: Type.Unsafe<Date>({
    type: 'string',
    format: 'date-time',
    description: 'Events recorded up to here are delivered, or do not match the filters.',
  }),
  last_delivered_at: Nullable(Timestamp),
  failure: Nullable(
    Component(
      'WebhookFailure',
      {
        attempts: Type.Integer(),
        first_failed_at: Nullable(Timestamp),
        next_attempt_at: Nullable(Timestamp),
        status: Nullable(Type.Integer()),
        error: Nullable(Type.String()),
        event_id: Nullable({ ...Uuid, description: 'The event. Null if the delivery log no longer has it.' }),
        event_type: Nullable(Type.String()),
      },
      { description: 'The failed attempts to deliver the next event.' },
    ),
  ),
  previous_secret_valid_until: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const WebhookItem = Component('Webhook', fields);
export const WebhookWithSecret = Component('WebhookWithSecret', {
  ...fields,
  secret: Type.String({ description: 'Signs the deliveries. It is not shown again.' }),
});

export const DeliveryOutcome = Type.Enum(['delivered', 'failed', 'skipped']);
export type DeliveryOutcome = Static<typeof DeliveryOutcome>;

/** An attempt to deliver, or a notice that events are missing. */
export const WebhookDelivery = Component('WebhookDelivery', {
  id: Uuid,
  event_id: Nullable(Uuid),
  event_type: Nullable(Type.String()),
  attempt: Type.Integer({ description: 'Counts from 1 for each event.' }),
  outcome: DeliveryOutcome,
  status: Nullable(Type.Integer({ description: 'The HTTP status of the response.' })),
  duration_ms: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  response: Nullable(Type.String({ description: 'The first 1,024 bytes of the response body.' })),
  at: Timestamp,
});
export type Delivery = Static<typeof WebhookDelivery>;
