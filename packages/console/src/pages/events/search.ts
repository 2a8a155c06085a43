import type { Item } from '../../api/client.ts';
import { choice, flag, search, text } from '../../kit/browser/address.ts';
import { valuesOf } from '../../kit/form/form-options.ts';

type EventType = Item<'/api/event-types/'>;

export const CATEGORIES = valuesOf<EventType['category']>({
  authentication: true,
  authorization: true,
  application: true,
  task: true,
  user_lifecycle: true,
  configuration: true,
});
export const SEVERITIES = Object.keys({
  critical: true,
  high: true,
  medium: true,
  low: true,
  info: true,
} satisfies Record<EventType['severity'], true>) as EventType['severity'][];

/** Without `catalog`, the page shows both catalogs. `type` is a prefix if it ends with a dot. `from` and `to` are in UTC, to the minute. `event` is open in the drawer. */
export const eventsSearch = search({
  catalog: choice('contract', 'configuration'),
  type: text,
  category: choice(...CATEGORIES),
  severity: text,
  actor: text,
  subject: text,
  ip: text,
  from: text,
  to: text,
  cursor: text,
  follow: flag,
  event: text,
});

export type EventsSearch = ReturnType<typeof eventsSearch>;

/** Returns the filters of the address as the API takes them. Without a catalog, both are read. */
export function queryOf({ catalog, type, category, severity, actor, subject, ip, from, to }: EventsSearch) {
  const isPrefix = type?.endsWith('.') === true;
  return {
    catalog: catalog ?? ('all' as const),
    event_type: isPrefix ? undefined : type,
    event_type_prefix: isPrefix ? type : undefined,
    category,
    severity,
    actor_uuid: actor,
    subject_uuid: subject,
    actor_ip: ip,
    occurred_at__gte: from,
    // Include the whole minute.
    occurred_at__lte: to !== undefined && /T\d\d:\d\d$/.test(to) ? `${to}:59.999999` : to,
  };
}
