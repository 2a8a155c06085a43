import type { Database } from '../platform/database/open.ts';
import { type Cursor, decodeCursor, encodeCursor, type Place } from './cursor.ts';
import type { CursorKeyring } from './cursor-keys.ts';
import { type Filters, filtersOf, type Selection, selectionOf } from './filters.ts';
import { BEGINNING, type Moment } from './moment.ts';
import { raiseHead } from './queries/head.ts';
import { type PageRow, type Reader, selectEvent, selectLive, selectPage } from './queries/page.ts';

/** For those who measure it. */
export { pageStatement } from './queries/page.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 200;

export interface EventPage {
  nextCursor: string;
  previousCursor: string;
  /** JSON text: the envelopes, newest first, with commas between them. */
  results: string;
  /** Set where retention has taken events that the cursor still had before it: what is left begins here. */
  clampedTo: Moment | null;
}

/** The log as its readers see it. `unauthenticated` is the error for a key that turned out to be dead (D6). */
export interface EventLog {
  database: Database;
  keyring: CursorKeyring;
  unauthenticated: () => Error;
}

/**
 * Contract 4.11, with the cursor of D35: in one round trip, but for the rare page that finds its window drained and
 * looks once more, so that an empty page always means "caught up".
 */
export async function listEvents(
  log: EventLog,
  reader: Reader,
  query: Filters & { cursor?: string; limit?: number },
): Promise<EventPage> {
  const keys = await log.keyring.keysFor(reader.orgId, query.cursor);
  const start: Cursor = query.cursor
    ? decodeCursor(reader.orgId, keys, query.cursor)
    : { place: { kind: 'tail', low: BEGINNING }, filters: {} };
  const filters = filtersOf(query) ?? start.filters;
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, LARGEST_LIMIT);

  const read = (place: Place) => readPage(log, reader, selectionOf(filters), place, limit);
  let place = start.place;
  let page = await read(place);
  if (page.count === 0 && place.kind === 'window') {
    place = { kind: 'tail', low: place.high };
    page = await read(place);
  }
  if (page.head < newestOf(start.place))
    page.head = await raiseHead(log.database.db, reader.orgId, newestOf(start.place));

  const encode = (to: Place) => encodeCursor(reader.orgId, keys, { place: to, filters });
  return {
    nextCursor: encode(placeBelow(place, page, limit)),
    previousCursor: encode(placeAbove(place, page)),
    results: page.results,
    clampedTo: query.cursor && isClamped(start.place, page) ? page.retained_from : null,
  };
}

/** Contract 4.12. Undefined for what is not in this organization, whatever else it is. */
export async function findEvent(log: EventLog, reader: Reader, eventId: string): Promise<string | undefined> {
  const { body, live } = await selectEvent(log.database, reader, eventId);
  if (!live) throw log.unauthenticated();
  return body ?? undefined;
}

/** Throws for a dead key: its 401 comes before any other refusal (D6). */
export async function confirmKey(log: EventLog, reader: Reader): Promise<void> {
  if (!(await selectLive(log.database, reader))) throw log.unauthenticated();
}

async function readPage(
  log: EventLog,
  reader: Reader,
  selection: Selection,
  place: Place,
  limit: number,
): Promise<PageRow> {
  const range =
    place.kind === 'newer'
      ? ({ after: place.above, before: null, limit, from: 'bottom' } as const)
      : ({
          after: place.low,
          before: place.kind === 'window' ? place.at : null,
          limit,
          from: 'top',
        } as const);
  const page = await selectPage(log.database, reader, selection, range);
  if (!page.live) throw log.unauthenticated();
  return page;
}

/** `next_cursor`: further down the window; behind its last page, everything that is newer than the window (D35). */
function placeBelow(
  place: Place,
  { count, newest, oldest, head, retained_from }: PageRow,
  limit: number,
): Place {
  // A walk that begins is owed everything from here on; what retention takes of that will be told.
  const low = Math.max(place.low, retained_from - 1);
  switch (place.kind) {
    case 'tail':
      return count < limit || oldest === null
        ? { kind: 'tail', low: Math.max(place.low, head) }
        : { kind: 'window', low, high: head, at: oldest };
    case 'window':
      return count < limit || oldest === null
        ? { kind: 'tail', low: place.high }
        : { ...place, low, at: oldest };
    case 'newer': {
      const high = Math.max(place.high, newest ?? place.above);
      return { kind: 'window', low: place.low, high, at: oldest ?? place.above + 1 };
    }
  }
}

/** `previous_cursor`: the page just above this one; nothing lies between it and what this page has seen. */
function placeAbove(place: Place, { newest, head }: PageRow): Place {
  switch (place.kind) {
    case 'tail':
      return {
        kind: 'newer',
        low: place.low,
        high: Math.max(place.low, head),
        above: newest ?? Math.max(place.low, head),
      };
    case 'window':
      return { kind: 'newer', low: place.low, high: place.high, above: newest ?? place.at - 1 };
    case 'newer':
      return { ...place, above: newest ?? Math.max(place.above, head) };
  }
}

const lowOf = (place: Place): Moment => (place.kind === 'newer' ? place.above : place.low);
const newestOf = (place: Place): Moment =>
  place.kind === 'newer' ? place.above : place.kind === 'window' ? place.high : place.low;

/** Retention has taken what lay between the cursor's lower bound and what is left. */
const isClamped = (place: Place, { retained_from }: PageRow) => lowOf(place) < retained_from - 1;
