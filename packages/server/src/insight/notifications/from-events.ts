import type { OrgDb } from '#kit/database.ts';
import type { EventType } from '#log/events/catalog.ts';
import type { LoggedEvent } from '#log/events/follow.ts';
import type { Draft } from '#log/notices/draft.ts';
import type { Handler } from '#log/notices/notices.ts';
import { SOURCES } from './sources.ts';

const HANDLERS = Map.groupBy(
  SOURCES.flatMap(({ handlers = {} }) => Object.entries(handlers) as [EventType, Handler][]),
  ([type]) => type,
);

/** The types of events that lead to notifications. */
export const NOTIFIED_TYPES = [...HANDLERS.keys()];

/** The types after which work can wait for other people than before. */
export const ROUTING_TYPES: EventType[] = [
  'absence.created',
  'absence.updated',
  'absence.deleted',
  'user.deactivated',
  'user.reactivated',
  'role.changed',
  'app_settings.changed',
];

/** Returns the notifications of events, in their order. */
export async function draftsFrom(org: OrgDb, events: readonly LoggedEvent[]): Promise<Draft[]> {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const found = known.get(key) ?? read();
    known.set(key, found);
    return found as Promise<T>;
  };
  const drafts: Draft[] = [];
  for (const event of events) {
    const text = (field: string) => {
      const value = event.payload[field];
      return typeof value === 'string' ? value : '';
    };
    for (const [, handler] of HANDLERS.get(event.type) ?? [])
      drafts.push(...(await handler({ org, event, text, batch: events, once })));
  }
  return drafts;
}
