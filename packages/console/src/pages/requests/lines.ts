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
  /** Dates of the browser's time zone, in the format of date fields. Empty means none. */
  start: string;
  end: string;
  reason: string;
}

/** A time of a day in the browser's time zone. The day has the format of date fields. */
export const momentOf = (day: string, time: string) => new Date([day, time].join('T'));

/** When access begins and ends: days count from the start, and a date counts to its end. */
export function timesOf({ duration, start, end }: Terms, now = new Date()) {
  const begins = start === '' ? null : momentOf(start, '00:00');
  const ends = new Date(begins ?? now);
  if (duration === 'date') ends.setTime(momentOf(end, '23:59:59').getTime());
  else ends.setDate(ends.getDate() + Number(duration));
  return {
    start_time: begins?.toISOString() ?? null,
    end_time: duration === 'permanent' ? null : ends.toISOString(),
  };
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
