import { isUuid } from '#kit/ids.ts';
import { isInstant } from '#kit/instants.ts';
import { historyRefusals } from './sentences.ts';

/** A cursor is the place of the last result in its list. It shows nothing that the list does not. */
export const cursorOf = (place: readonly string[]): string =>
  Buffer.from(JSON.stringify(place)).toString('base64url');

const isTime = (part: string) => part === 'infinity' || (isInstant(part) && !part.startsWith('0000'));

/** Reads a cursor whose place has two ids and then only times. 400 for one that no response contained. */
export function placeOf(cursor: string, length: number): string[] {
  const place = parse(cursor);
  const isPlace =
    Array.isArray(place) &&
    place.length === length &&
    place.every((part, index) => typeof part === 'string' && (index < 2 ? isUuid(part) : isTime(part)));
  if (!isPlace) throw historyRefusals.history_cursor_invalid();
  return place as string[];
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
