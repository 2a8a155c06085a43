import { Type } from 'typebox';
import { Nullable, Uuid } from '#kit/schemas.ts';
import { BY_ANYTHING, BY_PERSON, Changes, define, field, Text, Timestamp } from '../payloads.ts';

/** A channel of Slack or Microsoft Teams. `host` and not the whole address, which is a secret. */
const channel = {
  channel_id: field('The notification channel.', Uuid),
  name: field('The name of the channel.', Text),
  kind: field('The chat service.', Type.Enum(['slack', 'teams'])),
  host: field('The host of the address. The whole address may contain a secret.', Text),
  app_id: field('The app.', Nullable(Uuid)),
  kinds: field('The kinds of notifications that the channel receives.', Type.Array(Text)),
  show_reasons: field(
    'Whether everybody in the channel may read the reasons that people give for their requests.',
    Type.Boolean(),
  ),
};

/** `host` and not the whole address, whose path or query may hold a secret. */
const webhook = {
  webhook_id: field('The webhook.', Uuid),
  name: field('The name of the webhook.', Text),
  host: field('The host of the address. The whole address may contain a secret.', Text),
};

/** Webhooks and notification channels. */
export const receiversEvents = {
  'webhook.created': define('Webhook added', ['system'], BY_PERSON, {
    sentence: '{who} added the webhook {name}',
    payload: webhook,
  }),
  'webhook.updated': define('Webhook changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the webhook {name}: {changes}',
    payload: { ...webhook, changes: Changes },
  }),
  'webhook.deleted': define('Webhook removed', ['system'], BY_PERSON, {
    sentence: '{who} removed the webhook {name}',
    payload: webhook,
  }),
  'webhook.secret_rotated': define('Signing secret of a webhook rotated', ['system'], BY_PERSON, {
    sentence: '{who} rotated the signing secret of the webhook {name}',
    payload: {
      ...webhook,
      previous_valid_until: field('The time until which the previous secret is valid.', Timestamp),
    },
  }),
  'webhook.replayed': define('Webhook set back to an earlier event', ['system'], BY_PERSON, {
    sentence: '{who} set the webhook {name} back to earlier events',
    payload: {
      ...webhook,
      from_event: field(
        'The event from which deliveries start again. Null if a time or the end of the log was chosen.',
        Nullable(Uuid),
      ),
    },
  }),
  'webhook.disabled': define(
    'Webhook disabled because its deliveries kept failing',
    ['system'],
    BY_ANYTHING,
    {
      sentence: 'Gatehouse disabled the webhook {name}',
      quote: ['reason'],
      payload: { ...webhook, reason: field('Why it happened.', Text) },
    },
  ),
  'webhook.failing': define('Webhook whose deliveries go on failing', ['system'], BY_ANYTHING, {
    severity: 'medium',
    sentence: 'The webhook {name} keeps failing',
    quote: ['reason'],
    payload: { ...webhook, reason: field('Why it happened.', Text) },
  }),
  'webhook.event_skipped': define('Event of a webhook skipped', ['system'], BY_PERSON, {
    severity: 'medium',
    sentence: '{who} skipped an event {skipped_type} of the webhook {name}',
    payload: {
      ...webhook,
      skipped_event: field('The event that the webhook does not deliver.', Uuid),
      skipped_type: field('The type of that event.', Text),
    },
  }),
  'notification_channel.created': define('Notification channel added', ['system'], BY_PERSON, {
    sentence: '{who} added the channel {name}',
    payload: channel,
  }),
  'notification_channel.updated': define('Notification channel changed', ['system'], BY_PERSON, {
    sentence: '{who} changed the channel {name}: {changes}',
    payload: { ...channel, changes: Changes },
  }),
  'notification_channel.deleted': define('Notification channel removed', ['system'], BY_PERSON, {
    sentence: '{who} removed the channel {name}',
    payload: channel,
  }),
};
