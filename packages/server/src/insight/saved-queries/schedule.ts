import type { EVERY } from './schemas.ts';

/** When a saved query runs, in the organization's time zone. A weekday or a day belongs to one kind only. */
export interface Times {
  every: (typeof EVERY)[number];
  hour: number;
  /** 1 for Monday. */
  weekday: number | null;
  day: number | null;
}

/** Returns the first time after a moment. Where the clocks skip the hour, the query runs an hour later. */
export function nextRun({ every, hour, weekday, day }: Times, timeZone: string, after: Date): Date {
  const threshold = Temporal.Instant.fromEpochMilliseconds(after.getTime());
  const isDay = (date: Temporal.PlainDate) =>
    every === 'daily' ||
    (every === 'weekly' ? date.dayOfWeek === weekday : date.day === Math.min(day ?? 1, date.daysInMonth));
  let date = threshold.toZonedDateTimeISO(timeZone).toPlainDate();
  while (true) {
    const moment = date.toZonedDateTime({ timeZone, plainTime: { hour } }).toInstant();
    if (isDay(date) && Temporal.Instant.compare(moment, threshold) > 0)
      return new Date(moment.epochMilliseconds);
    date = date.add({ days: 1 });
  }
}
