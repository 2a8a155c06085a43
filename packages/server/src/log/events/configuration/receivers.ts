import { Type } from 'typebox';
import { Nullable, Uuid } from '../../../kit/http/schemas.ts';
import { BY_ANYTHING, BY_PERSON, Changes, define, Text, Timestamp } from '../payloads.ts';

/** A channel of Slack or Microsoft Teams. `host` and not the whole address, which is a secret. */
const channel = {
  channel_id: Uuid,
  name: Text,
  kind: Type.Enum(['slack', 'teams']),
  host: Text,
  app_id: Nullable(Uuid),
  kinds: Type.Array(Text),
};
/** `host` and not the whole address, whose path or query may hold a secret. */
const webhook = { webhook_id: Uuid, name: Text, host: Text };

/** Webhooks and notification channels. */
export const receiverEvents = {
  'webhook.created': define('Webhook added', ['system'], BY_PERSON, webhook),
  'webhook.updated': define('Webhook changed', ['system'], BY_PERSON, { ...webhook, changes: Changes }),
  'webhook.deleted': define('Webhook removed', ['system'], BY_PERSON, webhook),
  'webhook.secret_rotated': define('Signing secret of a webhook rotated', ['system'], BY_PERSON, {
    ...webhook,
    previous_valid_until: Timestamp,
  }),
  'webhook.replayed': define('Webhook set back to an earlier event', ['system'], BY_PERSON, {
    ...webhook,
    from_event: Nullable(Uuid),
  }),
  'webhook.disabled': define(
    'Webhook disabled because its deliveries kept failing',
    ['system'],
    BY_ANYTHING,
    {
      ...webhook,
      reason: Text,
    },
  ),
  'webhook.failing': define('Webhook whose deliveries go on failing', ['system'], BY_ANYTHING, {
    ...webhook,
    reason: Text,
  }),
  'webhook.event_skipped': define('Event of a webhook skipped', ['system'], BY_PERSON, {
    ...webhook,
    skipped_event: Uuid,
    skipped_type: Text,
  }),
  'notification_channel.created': define('Notification channel added', ['system'], BY_PERSON, channel),
  'notification_channel.updated': define('Notification channel changed', ['system'], BY_PERSON, {
    ...channel,
    changes: Changes,
  }),
  'notification_channel.deleted': define('Notification channel removed', ['system'], BY_PERSON, channel),
};
