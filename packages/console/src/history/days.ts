const DAY_MS = 86_400_000;

/** A day in the reader's time zone, as the number of days since 1970. */
export type Day = number;

export const dayOf = (moment: Date): Day =>
  Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate()) / DAY_MS;

/** Reads "2026-10-01". */
export const dayFrom = (text: string): Day => Date.parse(text) / DAY_MS;

export function startOf(day: Day): Date {
  const utc = new Date(day * DAY_MS);
  return new Date(utc.getUTCFullYear(), utc.getUTCMonth(), utc.getUTCDate());
}

/** The last second of a day, as the API takes it. undefined stands for now. */
export const endOf = (day: Day, today: Day): string | undefined =>
  day >= today ? undefined : new Date(startOf(day + 1).getTime() - 1000).toISOString();

/** A year is on the band, and more if the page shows an earlier time. */
export const askedFrom = (shown: Day, today: Day): Day => Math.min(today - 365, shown - 30);

/** The first day of the band: shortly before the first mark, so that days of a new organization are not narrow. */
export const firstOf = (marks: readonly Day[], shown: Day, today: Day): Day =>
  Math.max(askedFrom(shown, today), Math.min(...marks, shown, today - 13) - 1);

const LEAPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -30,
  PageUp: 30,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** The day to which a key leads, or undefined for a key that leads to none. */
export function dayAfter(key: string, day: Day, first: Day, today: Day): Day | undefined {
  const leap = LEAPS[key];
  return leap === undefined ? undefined : Math.min(today, Math.max(first, day + leap));
}
