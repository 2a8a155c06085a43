import { type Database, transaction, within } from '#kit/database.ts';
import { type Cursor, decodeCursor, encodeCursor, type Place } from './cursor.ts';
import type { CursorKeyring } from './cursor-keys.ts';
import { type Filters, filtersOf, type Selection, selectionOf } from './filters.ts';
import { BEGINNING, type Moment } from './moment.ts';
import { raiseHead } from './queries/head.ts';
import { type PageRow, type Reader, selectEvent, selectLive, selectPage } from './queries/page.ts';

const DEFAULT_LIMIT = 50;
const LARGEST_LIMIT = 200;

export interface EventPage {
  nextCursor: string;
  previousCursor: string;
  /** JSON text: the envelopes, newest first, with commas between them. */
  results: string;
  /** Set if retention removed events that the cursor had not delivered: the remaining events begin here. */
  clampedTo: Moment | null;
}

/** The log for readers. `unauthenticated` makes the error for a key that is no longer valid (D6). */
export interface EventLog {
  database: Database;
  keyring: CursorKeyring;
  unauthenticated: () => Error;
}

/** The primary, or a replica of it. */
type Side = Pick<Database, 'prepared'>;

/**
 * Returns a page of events (protocol 4.11) and its cursors (D35) in one round trip. If a page at the end of its window
 * is empty, a second one reads on, so that an empty page always means that the reader has caught up. A side that lacks
 * positions that the cursor names is not read: a replica may be behind the primary, and for a moment also ahead of it.
 */
export async function listEvents(
  log: EventLog,
  reader: Reader,
  query: Filters & { cursor?: string; limit?: number },
  side: Side = log.database,
): Promise<EventPage> {
  const keys = await log.keyring.keysFor(reader.orgId, query.cursor);
  const start: Cursor = query.cursor
    ? decodeCursor(reader, keys, query.cursor)
    : { place: { kind: 'tail', low: BEGINNING }, filters: {} };
  const filters = filtersOf(query) ?? start.filters;
  const limit = Math.min(query.limit ?? DEFAULT_LIMIT, LARGEST_LIMIT);

  const read = (place: Place) =>
    readRange(log, side, reader, { selection: selectionOf(filters), place, limit });
  const isBehind = ({ head }: PageRow) => head < newestOf(start.place);
  const readAgain = async () => {
    if (side === log.database)
      await transaction(within(log.database.db, reader.orgId), (tx) => raiseHead(tx, newestOf(start.place)));
    return listEvents(log, reader, query);
  };
  let place = start.place;
  let page = await read(place);
  // Each read is checked: the replica may catch up between the two, and the first one then missed the rest of the window.
  if (isBehind(page)) return readAgain();
  if (page.count === 0 && place.kind === 'window') {
    place = { kind: 'tail', low: place.high };
    page = await read(place);
    if (isBehind(page)) return readAgain();
  }

  const encode = (to: Place) => encodeCursor(reader, keys, { place: to, filters });
  return {
    nextCursor: encode(placeBelow(place, page, limit)),
    previousCursor: encode(placeAbove(place, page)),
    results: page.results,
    clampedTo: query.cursor && isClamped(start.place, page) ? page.retained_from : null,
  };
}

/** Returns an event as JSON text (protocol 4.12), or undefined if the organization has no such event. */
export async function findEvent(
  log: EventLog,
  reader: Reader,
  eventId: string,
  side: Side = log.database,
): Promise<string | undefined> {
  const { body, live } = await selectEvent(side, reader, eventId);
  if (!live) throw log.unauthenticated();
  return body ?? undefined;
}

/** Throws if the key is no longer valid: its 401 takes precedence over other errors (D6). */
export async function confirmKey(log: EventLog, reader: Reader): Promise<void> {
  if (!(await selectLive(log.database, reader))) throw log.unauthenticated();
}

async function readRange(
  log: EventLog,
  side: Side,
  reader: Reader,
  { selection, place, limit }: { selection: Selection; place: Place; limit: number },
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
  const page = await selectPage(side, reader, selection, range);
  if (!page.live) throw log.unauthenticated();
  return page;
}

/** Returns the place of `next_cursor` (D35): further down the window, or after its last page everything newer. */
function placeBelow(
  place: Place,
  { count, newest, oldest, head, retained_from }: PageRow,
  limit: number,
): Place {
  // The reader is owed every event from here on, so it is told if retention removes one.
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

/** Returns the place of `previous_cursor`: the page just above this one, without a gap. */
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

/** Whether retention removed events above the cursor's lower bound. */
const isClamped = (place: Place, { retained_from }: PageRow) => lowOf(place) < retained_from - 1;
