import { refusals } from '#kit/errors.ts';

export const notificationRefusals = refusals({
  conflict: {
    too_many_channels: 'An organization can have {most} channels. Delete one first.',
    channel_emails_not_configured:
      'Emails are not configured. Ask the operator to set GATEHOUSE_SMTP_URL and GATEHOUSE_MAIL_FROM (docs/guides/notifications.md).',
  },
  forbidden: {
    channel_needs_scopes:
      'A channel gets what happens in apps: creating or changing one requires a key with the scopes read and events, too.',
  },
  invalid: {
    channel_address_not_https:
      'Use an https address, such as the one that Slack or Microsoft Teams shows (url).',
    channel_address_with_password: 'The address must not contain a username or a password (url).',
    ids_and_all: 'Send `ids` or `all`, not both.',
    notification_kind_unknown: 'There is no kind "{unknown}" (kinds).',
    security_notice_always_sent:
      '{name} is a security notice. It is always sent immediately and cannot be turned off (kinds).',
    language_unknown: '"{language}" is not a language tag (language). Use a tag such as en-US or de-DE.',
    quiet_hours_half: 'Give both quiet_from and quiet_to, or neither.',
    quiet_hours_empty: 'quiet_from and quiet_to must differ. Set both to null for no quiet hours.',
  },
});
