import { idsBySlug } from '../../access/chosen.ts';
import type { Item } from '../../api/client.ts';
import type { paths } from '../../api/schema.ts';

export type Entry = Item<'/api/catalog/'>;
type Body = NonNullable<paths['/api/tickets/']['post']['requestBody']>['content']['application/json'];

/** An account is named by its app alone. */
export const entryKey = ({ app, external_uuid }: Pick<Entry, 'app' | 'external_uuid'>) =>
  external_uuid ?? app.external_uuid;

/** The chosen entries of one app, which become one request. */
export interface Line {
  app: Entry['app'];
  entries: Entry[];
  /** Whether the person has no account in the app yet, so that the request includes one. */
  isNew: boolean;
}

/** Groups the chosen entries by app, in the order in which the apps were chosen. */
export const linesOf = (entries: readonly Entry[]): Line[] =>
  [...Map.groupBy(entries, ({ app }) => app.external_uuid).values()].flatMap((own) => {
    const [first] = own;
    return first === undefined ? [] : [{ app: first.app, entries: own, isNew: !first.has_account }];
  });

export const DURATIONS = ['1', '7', '30', 'permanent', 'date'] as const;
export type Duration = (typeof DURATIONS)[number];

export interface Terms {
  duration: Duration;
  /** Days in the organization's time zone, in the format of date fields. Empty means none. */
  start: string;
  end: string;
  reason: string;
}

const DAY_MS = 86_400_000;

/**
 * When access begins and ends. A day goes to the server as it is: there it is a day in the organization's time zone, and as an end it
 * includes its last moment. Days count from the start, of which the first is one, or from now.
 */
export function timesOf({ duration, start, end }: Terms, now = new Date()) {
  return { start_time: start === '' ? null : start, end_time: endOf(duration, start, end, now) };
}

function endOf(duration: Duration, start: string, end: string, now: Date): string | null {
  if (duration === 'permanent') return null;
  if (duration === 'date') return end;
  const days = Number(duration);
  if (start === '') return new Date(now.getTime() + days * DAY_MS).toISOString();
  return new Date(Date.parse(start) + (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

interface People {
  user: string;
  /** Null: the user who is signed in. */
  requester: string | null;
}

/** The request for a line, without its id. */
export function bodyOf({ app, entries, isNew }: Line, people: People, terms: Terms): Body {
  const chosen = entries.flatMap(({ kind, slug, id, name }) =>
    slug === null || id === null ? [] : [{ type: kind, slug, id, name }],
  );
  return {
    app: app.external_uuid,
    ...people,
    type: isNew ? 'NEW_ACCESS' : 'MODIFY_ACCESS',
    memberships: idsBySlug(chosen, 'group'),
    assignments: idsBySlug(chosen, 'license'),
    ...timesOf(terms),
    initial_comment: terms.reason.trim(),
  };
}

/** Returns a random UUID. `crypto.randomUUID` exists only on pages with HTTPS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte, at) => {
    const marked = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, '0');
  });
  const part = (from: number, to: number) => hex.slice(from, to).join('');
  return [part(0, 4), part(4, 6), part(6, 8), part(8, 10), part(10, 16)].join('-');
}
