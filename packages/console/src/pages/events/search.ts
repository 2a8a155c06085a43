import { choice, flag, search, text } from '../../parts/address.ts';

export const CATEGORIES = [
  'authentication',
  'authorization',
  'application',
  'task',
  'user_lifecycle',
] as const;
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** `type` with a dot at its end is a prefix; `from` and `to` are UTC, to the minute; `event` is opened in the drawer. */
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

/** The address's filters as the API wants them. */
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
    // The whole of the minute that is named.
    occurred_at__lte: to !== undefined && /T\d\d:\d\d$/.test(to) ? `${to}:59.999999` : to,
  };
}
