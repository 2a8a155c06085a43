import { refusals } from '#kit/errors.ts';

export const webhookRefusals = refusals({
  invalid: {
    webhook_address_not_https: 'The address must be an https address of at most {most} characters (url).',
    webhook_address_with_password:
      'The address must not contain a user or a password, which would show up in logs. Verify the signature instead (url).',
    webhook_address_with_fragment: 'The address must not contain a fragment (url).',
    replay_start_invalid: 'Name the id of an event, a time in ISO 8601, or end (from).',
    webhook_address_refused: '{problem} (url)',
    webhook_selects_nothing: 'These filters select no event. Remove one of them (filters).',
  },
  conflict: {
    too_many_webhooks: 'An organization can have {most} webhooks. Delete one that is no longer used.',
    webhook_event_not_failing: 'This event is not the one that fails now. Reload the webhook and try again.',
  },
  forbidden: {
    webhook_without_events_scope:
      'A webhook sends events: creating or changing one requires a key with the scope events, too.',
  },
});
