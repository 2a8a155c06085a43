import type { Query } from '../../api/client.ts';
import { choice, flag, search, text, whole } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

type Deliveries = Query<'/api/notifications/deliveries/'>;

export const MEDIA = valuesOf<NonNullable<Deliveries['medium']>>({
  inbox: true,
  email: true,
  slack: true,
  teams: true,
});
export const STATES = valuesOf<NonNullable<Deliveries['state']>>({
  waiting: true,
  sent: true,
  failed: true,
  skipped: true,
});

export const inboxSearch = search({ page: whole, unread: flag });

export const TABS = ['preferences', 'channels', 'deliveries'] as const;

/** `dialog` adds a channel. `page`, `user`, `medium` and `state` belong to the delivery log. */
export const notificationSettingsSearch = search({
  tab: choice(...TABS),
  page: whole,
  user: text,
  medium: choice(...MEDIA),
  state: choice(...STATES),
  dialog: choice('slack', 'teams'),
});
