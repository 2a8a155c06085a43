export const FREQUENCIES = ['once', 'monthly', 'quarterly', 'annually'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

const MONTHS: Record<Exclude<Frequency, 'once'>, number> = { monthly: 1, quarterly: 3, annually: 12 };

interface Schedule {
  frequency: Frequency;
  starts_at: string | null;
}

const inUtc = (date: Date) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('UTC');
const toDate = ({ epochMilliseconds }: { epochMilliseconds: number }) => new Date(epochMilliseconds);

/**
 * Returns when the first cycle after `after` opens, or null if none does. Cycles open on the day of the month and at
 * the time of `starts_at` (UTC), or on the last day of a shorter month.
 */
export function nextOpening({ frequency, starts_at }: Schedule, after: Date): Date | null {
  if (starts_at === null) return null;
  const first = inUtc(new Date(starts_at));
  const threshold = inUtc(after);
  const isAfter = (opening: Temporal.ZonedDateTime) => Temporal.ZonedDateTime.compare(opening, threshold) > 0;
  if (isAfter(first)) return toDate(first);
  if (frequency === 'once') return null;
  const step = MONTHS[frequency];
  const { months: passed } = first.until(threshold, { largestUnit: 'months' });
  for (let months = passed - (passed % step); ; months += step) {
    // Counted from the first opening, so that a short month does not move the later ones.
    const opening = first.add({ months });
    if (isAfter(opening)) return toDate(opening);
  }
}

/** Returns when a cycle that opened at `openedAt` is due. */
export const dueAt = (openedAt: Date, dueDays: number): Date =>
  toDate(inUtc(openedAt).add({ days: dueDays }));

/** Returns when a decision can no longer be changed and its task runs. */
export const coolingOffEnd = (decidedAt: Date, coolingOffHours: number): Date =>
  toDate(inUtc(decidedAt).add({ hours: coolingOffHours }));
