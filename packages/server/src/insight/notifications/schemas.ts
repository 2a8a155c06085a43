import { type Static, type TObject, Type } from 'typebox';
import { PersonEmail } from '#directory/people/reference.ts';
import { Component, Nullable, Timestamp, Uuid } from '#kit/schemas.ts';
import {
  CHANNEL_KINDS,
  KIND_NAMES,
  type KindName as Name,
  SETTINGS,
  type Setting,
} from '#log/notices/kinds.ts';
import { DELIVERY_STATES, MEDIA } from './filters.ts';

const KindName = Type.Enum([...KIND_NAMES], { title: 'NotificationKindName' });
const ChannelKind = Type.Enum([...CHANNEL_KINDS]);
const SettingName = Type.Enum([...SETTINGS]);

export const NotificationItem = Component('Notification', {
  id: Uuid,
  kind: KindName,
  title: Type.String(),
  body: Type.String({ description: 'Plain text. Times in it are in ISO 8601, in UTC.' }),
  path: Type.String({ description: "The page in the console, after the console's own path." }),
  created_at: Timestamp,
  read_at: Nullable(Timestamp),
});
export type NotificationItem = Static<typeof NotificationItem>;

const LocalTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'] });
const choices = {
  time_zone: Nullable(
    Type.String({
      maxLength: 64,
      description: 'An IANA time zone. Null: UTC.',
      examples: ['Europe/Berlin'],
    }),
  ),
  language: Nullable(
    Type.String({
      maxLength: 35,
      description: 'A language tag (BCP 47), for dates and numbers. Null: en-US.',
      examples: ['de-DE'],
    }),
  ),
  quiet_from: Nullable({
    ...LocalTime,
    description: 'From this local time on, emails wait. Null: no quiet hours.',
  }),
  quiet_to: Nullable({ ...LocalTime, description: 'Until this local time, emails wait.' }),
  digest_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: 'The local hour at which the daily digest is sent.',
  }),
};
/** The choices of a person. `kinds` has only those that differ from their default. */
export type Choices = Static<TObject<typeof choices>> & { kinds: Partial<Record<Name, Setting>> };
export const PreferenceChange = Component('NotificationPreferencesChange', {
  ...Type.Partial(Type.Object(choices)).properties,
  kinds: Type.Optional(
    Type.Partial(Type.Object(Object.fromEntries(KIND_NAMES.map((name) => [name, SettingName])))),
  ),
});
export const Preferences = Component('NotificationPreferences', {
  ...choices,
  kinds: Type.Array(
    Component('NotificationPreference', {
      kind: KindName,
      title: Type.String(),
      setting: SettingName,
      security: Type.Boolean({ description: 'Always sent immediately. It cannot be turned off.' }),
    }),
  ),
  email_enabled: Type.Boolean({ description: 'Whether Gatehouse can send emails.' }),
});
export type Preferences = Static<typeof Preferences>;

export const KindItem = Component('NotificationKind', {
  kind: KindName,
  title: Type.String(),
  audience: Type.String({ description: 'The people who get it.' }),
  default: SettingName,
  security: Type.Boolean({ description: 'Always sent immediately. It cannot be turned off.' }),
  channels: Type.Boolean({ description: 'Whether Slack and Microsoft Teams can get it.' }),
});

export const Delivery = Component('NotificationDelivery', {
  id: Uuid,
  notification: Uuid,
  kind: KindName,
  title: Type.String(),
  medium: Type.Enum([...MEDIA]),
  user: Nullable({ ...PersonEmail, description: 'The recipient.' }),
  channel: Nullable(
    Type.Object(
      { external_uuid: Uuid, name: Type.String() },
      { description: 'The channel in Slack or Microsoft Teams.' },
    ),
  ),
  state: Type.Enum([...DELIVERY_STATES]),
  reason: Nullable(Type.String({ description: 'Why it was not sent, or why the last attempt failed.' })),
  attempts: Type.Integer({ minimum: 0 }),
  next_attempt_at: Nullable(Timestamp),
  sent_at: Nullable(Timestamp),
  created_at: Timestamp,
  message_id: Nullable(
    Type.String({ description: 'The Message-ID of the email. Several deliveries can share one email.' }),
  ),
});
export type Delivery = Static<typeof Delivery>;

export const channelFields = {
  name: Type.String({ minLength: 1, maxLength: 255 }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'The address of the incoming webhook. It is stored encrypted and never returned.',
  }),
  app: Type.Optional(Nullable({ ...Uuid, description: 'Only what concerns this app. Null: all apps.' })),
  kinds: Type.Array(ChannelKind, { minItems: 1, maxItems: CHANNEL_KINDS.length }),
  show_reasons: Type.Optional(
    Type.Boolean({
      description:
        'Whether everybody in the channel may read the reasons that people give for their requests. False by default.',
    }),
  ),
  enabled: Type.Optional(Type.Boolean()),
};
export type ChannelInput = Static<TObject<typeof channelFields>>;
export const ChannelType = Type.Enum(['slack', 'teams']);
export const ChannelItem = Component('NotificationChannel', {
  external_uuid: Uuid,
  type: ChannelType,
  name: Type.String(),
  host: Type.String({ description: 'The host of the address. The rest is secret.' }),
  app: Nullable(Type.Object({ external_uuid: Uuid, name: Type.String() })),
  kinds: Type.Array(ChannelKind),
  show_reasons: Type.Boolean(),
  enabled: Type.Boolean(),
  last_delivery: Nullable(
    Type.Object({
      state: Type.Enum([...DELIVERY_STATES]),
      at: Type.String({ format: 'date-time' }),
      reason: Nullable(Type.String()),
    }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
/** `address_version` differs whenever the address was set. */
export type Channel = Static<typeof ChannelItem> & { address_version: string };

export const TestResult = Component('NotificationTest', {
  delivered: Type.Boolean(),
  reason: Nullable(Type.String({ description: 'Why it was not delivered.' })),
});
