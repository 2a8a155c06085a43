import type { Item } from '../../api/client.ts';
import { choice, flag, search, text } from '../../parts/address.ts';

type EventType = Item<'/api/event-types/'>;

export const CATEGORIES = Object.keys({
  authentication: true,
  authorization: true,
  application: true,
  task: true,
  user_lifecycle: true,
  configuration: true,
} satisfies Record<EventType['category'], true>) as EventType['category'][];
export const SEVERITIES = Object.keys({
  critical: true,
  high: true,
  medium: true,
  low: true,
  info: true,
} satisfies Record<EventType['severity'], true>) as EventType['severity'][];

/** `type` is a prefix if it ends with a dot. `from` and `to` are in UTC, to the minute. `event` is open in the drawer. */
export const eventsSearch = search({
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

/** Returns the filters of the address as the API takes them. */
export function filtersOf({ type, category, severity, actor, subject, ip, from, to }: EventsSearch) {
  const isPrefix = type?.endsWith('.') === true;
  return {
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
