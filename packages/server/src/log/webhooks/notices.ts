import { quote } from '#log/notices/draft.ts';
import { administrators, type Handler, type Notices } from '#log/notices/notices.ts';
import { failingWebhooksAmong } from './facts.ts';

const webhookDisabled: Handler = async ({ org, event, text }) => [
  {
    kind: 'webhook_disabled',
    key: `webhook_disabled:${event.id}`,
    to: await administrators(org),
    title: `The webhook ${text('name')} was disabled`,
    body: `Its deliveries to ${text('host')} kept failing: ${quote(text('reason'))}`,
    path: '/settings/webhooks',
    about: { type: 'organization', id: null },
    appId: null,
  },
];

const webhookFailing: Handler = async ({ org, event, text }) => [
  {
    kind: 'webhook_failing',
    key: `webhook_failing:${event.id}`,
    to: await administrators(org),
    title: `The webhook ${text('name')} keeps failing`,
    body: `${text('host')} has not taken an event for 15 minutes, and all later events wait: ${quote(text('reason'))}`,
    path: `/settings/webhooks/${text('webhook_id')}`,
    about: { type: 'webhook', id: text('webhook_id') },
    appId: null,
  },
];

export const webhookNotices: Notices = {
  handlers: { 'webhook.disabled': webhookDisabled, 'webhook.failing': webhookFailing },
  waits: { webhook_failing: (db, _, webhooks) => failingWebhooksAmong(db, webhooks) },
};
