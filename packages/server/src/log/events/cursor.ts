import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Org } from '#kit/database.ts';
import { FILTER_NAMES, type Filters } from './filters.ts';
import type { Moment } from './moment.ts';
import { eventRefusals } from './sentences.ts';

/**
 * The place of a reader (D35). `low`, `high`, `at` and `above` are moments of the log (`ingested_at`).
 *
 *   tail    next is everything after `low`
 *   window  on the way down through (low, high]: everything from `at` up was delivered
 *   newer   on the way up: next is the page just above `above`; `low` and `high` are those of the window before
 *
 *   tail --full page--> window --full page--> window --last page--> tail (low = high)
 *   tail --last page--> tail (low = the head)
 */
export type Place =
  | { kind: 'tail'; low: Moment }
  | { kind: 'window'; low: Moment; high: Moment; at: Moment }
  | { kind: 'newer'; low: Moment; high: Moment; above: Moment };

export interface Cursor {
  place: Place;
  filters: Filters;
}

/** The cursor keys of an organization. `current` signs; all verify. */
export interface CursorKeys {
  current: number;
  secrets: ReadonlyMap<number, Buffer>;
}

/**
 * A cursor of version 1 is base64url of: version, key id, kind, the moments as big-endian 64-bit microseconds, the
 * filters as JSON (omitted if there are none), and 16 bytes of HMAC-SHA256 over the organization's id and all of these.
 */
const VERSION = 1;
const HEADER_LENGTH = 3;
const PLACE_LENGTH = 8;
const MAC_LENGTH = 16;
/** Enough for the filters that fit into an address. */
const LONGEST = 16_384;

const KINDS = { tail: 0, window: 1, newer: 2 } as const;

export function encodeCursor(org: Org, keys: CursorKeys, { place, filters }: Cursor): string {
  const places = placesOf(place);
  const json = Object.keys(filters).length === 0 ? '' : JSON.stringify(filters);
  const content = Buffer.alloc(HEADER_LENGTH + PLACE_LENGTH * places.length + Buffer.byteLength(json));
  content.set([VERSION, keys.current, KINDS[place.kind]]);
  for (const [index, moment] of places.entries()) {
    content.writeBigUInt64BE(BigInt(moment), HEADER_LENGTH + PLACE_LENGTH * index);
  }
  content.write(json, HEADER_LENGTH + PLACE_LENGTH * places.length);
  return Buffer.concat([content, macOf(secretOf(keys, keys.current), org, content)]).toString('base64url');
}

/** Returns the id of the key that claims to have signed `text`. Nothing is verified. */
export function keyIdOf(text: string): number {
  return Buffer.from(text.slice(0, 4), 'base64url')[1] ?? 0;
}

/** Throws `invalid` for a text that none of the organization's keys signed (D36). */
export function decodeCursor(org: Org, keys: CursorKeys, text: string): Cursor {
  const bytes = Buffer.from(text, 'base64url');
  // Base64 can spell one value in several ways. Only the canonical spelling is accepted.
  if (text.length > LONGEST || bytes.toString('base64url') !== text) throw badCursor();
  if (bytes.length < HEADER_LENGTH + PLACE_LENGTH + MAC_LENGTH || bytes[0] !== VERSION) throw badCursor();
  const content = bytes.subarray(0, -MAC_LENGTH);
  const secret = keys.secrets.get(bytes[1] ?? 0);
  if (secret === undefined) throw badCursor();
  if (!timingSafeEqual(macOf(secret, org, content), bytes.subarray(-MAC_LENGTH))) throw badCursor();
  return contentOf(content);
}

function contentOf(content: Buffer): Cursor {
  const at = (index: number): Moment => Number(content.readBigUInt64BE(HEADER_LENGTH + PLACE_LENGTH * index));
  const filtersFrom = (count: number): Filters => {
    const json = content.toString('utf8', HEADER_LENGTH + PLACE_LENGTH * count);
    return json === '' ? {} : onlyFilters(JSON.parse(json));
  };
  switch (content[2]) {
    case KINDS.tail:
      return { place: { kind: 'tail', low: at(0) }, filters: filtersFrom(1) };
    case KINDS.window:
      return { place: { kind: 'window', low: at(0), high: at(1), at: at(2) }, filters: filtersFrom(3) };
    case KINDS.newer:
      return { place: { kind: 'newer', low: at(0), high: at(1), above: at(2) }, filters: filtersFrom(3) };
    default:
      throw badCursor();
  }
}

function onlyFilters(json: Record<string, unknown>): Filters {
  return Object.fromEntries(
    FILTER_NAMES.filter((name) => json[name] !== undefined).map((name) => [name, String(json[name])]),
  );
}

function placesOf(place: Place): Moment[] {
  switch (place.kind) {
    case 'tail':
      return [place.low];
    case 'window':
      return [place.low, place.high, place.at];
    case 'newer':
      return [place.low, place.high, place.above];
  }
}

const macOf = (secret: Buffer, org: Org, content: Buffer) =>
  createHmac('sha256', secret).update(org.orgId).update(content).digest().subarray(0, MAC_LENGTH);

function secretOf(keys: CursorKeys, id: number): Buffer {
  const secret = keys.secrets.get(id);
  if (secret === undefined) throw new Error(`The organization has no cursor key ${id}.`);
  return secret;
}

const badCursor = eventRefusals.cursor_damaged;
