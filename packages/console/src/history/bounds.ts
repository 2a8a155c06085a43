import { t } from '@lingui/core/macro';
import type { Coverage, Item } from '../api/client.ts';
import { localTime, localTimes, shortDay } from '../kit/text/words.ts';

/** The bounds of a period of access (D45). */
export type Bounds = NonNullable<Item<'/api/accounts/'>['bounds']>;

/** "Between Mar 1, 2026, 6:00 AM and Mar 2, 2026, 6:00 AM" */
export function beginWords({ not_before, seen_from }: Bounds): string {
  if (seen_from === null) return t`Unknown`;
  const time = localTime(new Date(seen_from));
  if (not_before === null) return t`On or before ${time}`;
  return between(not_before, seen_from);
}

export function endWords({ seen_until, gone_by }: Bounds): string {
  if (gone_by === null) {
    if (seen_until === null) return t`Not ended`;
    const seen = localTime(new Date(seen_until));
    return t`Not ended, last seen ${seen}`;
  }
  if (seen_until !== null) return between(seen_until, gone_by);
  const time = localTime(new Date(gone_by));
  return t`Before ${time}`;
}

/** The bounds of a period as two sentences. */
export function boundsWords(bounds: Bounds): string {
  const [began, ended] = [beginWords(bounds), endWords(bounds)];
  return t`Began: ${began}. Ended: ${ended}.`;
}

/**
 * "Seen before and after (Sep 6, Nov 10)": when access that existed at a time was last seen before it and first seen after it. Without
 * the syncs around the time, when it was first and last seen.
 */
export function seenAround({ seen_from, seen_until }: Bounds, around: Coverage | undefined) {
  if (seen_from === null || seen_until === null) return undefined;
  const latest = [seen_from, around?.sync_before?.at ?? seen_from].reduce((a, b) =>
    micros(a) < micros(b) ? b : a,
  );
  const earliest = [seen_until, around?.sync_after?.at ?? seen_until].reduce((a, b) =>
    micros(b) < micros(a) ? b : a,
  );
  const [before, after] = [shortDay(new Date(latest)), shortDay(new Date(earliest))];
  return before === after
    ? t`Seen before and after (${before})`
    : t`Seen before and after (${before}, ${after})`;
}

/**
 * "Possible, last seen Nov 30, 2026, 9:56 PM": on which side of a time access that is only possible then was seen, and when. `around` are the
 * syncs around that time.
 */
export function possibleWords({ seen_from, seen_until }: Bounds, around: Coverage | undefined): string {
  if (around === undefined || seen_from === null || seen_until === null) return t`Possible`;
  const before = around.sync_before;
  if (before === null || micros(before.at) < micros(seen_from)) {
    const first = localTime(new Date(seen_from));
    return t`Possible, first seen ${first}`;
  }
  const last = localTime(new Date(seen_until));
  return t`Possible, last seen ${last}`;
}

function between(first: string, second: string): string {
  const [from, to] = [new Date(first), new Date(second)];
  if (from.getTime() >= to.getTime()) return localTime(to);
  const [start, end] = localTimes(from, to);
  return t`Between ${start} and ${end}`;
}

/** Whether a period certainly covers a moment. */
export const isCertainAt = ({ seen_from, seen_until }: Bounds, moment: string) =>
  seen_from !== null &&
  seen_until !== null &&
  micros(seen_from) <= micros(moment) &&
  micros(moment) <= micros(seen_until);

/** Microseconds since 1970. The API's times have them, and Date.parse drops them. */
const micros = (time: string) =>
  Date.parse(time) * 1000 + Number((/\.\d{3}(\d{1,3})/.exec(time)?.[1] ?? '').padEnd(3, '0'));
