import { Type } from 'typebox';
import { Uuid } from '#kit/schemas.ts';
import { filter, filters, sql, type ValuesOf } from '#kit/sql.ts';
import { KIND_NAMES } from '#log/notices/kinds.ts';

export const MEDIA = ['inbox', 'email', 'slack', 'teams'] as const;
export type Medium = (typeof MEDIA)[number];

export const DELIVERY_STATES = ['waiting', 'sent', 'failed', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const deliveryFilters = filters({
  user: filter({ ...Uuid, description: 'The recipient.' }, (id) => sql`d.user_id = ${id}`),
  channel: filter(
    { ...Uuid, description: 'The channel in Slack or Microsoft Teams.' },
    (id) => sql`d.channel_id = ${id}`,
  ),
  kind: filter(
    Type.Enum([...KIND_NAMES], { title: 'NotificationKindName' }),
    (kind) => sql`d.kind = ${kind}`,
  ),
  medium: filter(Type.Enum([...MEDIA]), (medium) => sql`d.medium = ${medium}`),
  state: filter(Type.Enum([...DELIVERY_STATES]), (state) => sql`d.state = ${state}`),
});
export type DeliveryFilter = ValuesOf<typeof deliveryFilters>;
