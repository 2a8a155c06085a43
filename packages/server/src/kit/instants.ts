import { kitRefusals } from './kit-sentences.ts';

const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(?:Z|([+ -](?:0\d|1[0-5]))(?::?(\d\d))?)?)?$/i;

/** Whether `text` is an ISO 8601 date or time before the year 10000. Without an offset it is UTC (D4). */
export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' && INSTANT.test(text) && exists(text);

/** Whether the day is in the calendar. Date.parse would move 30 February to March. */
function exists(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return false;
  return Date.parse(instantForSql(text)) < END;
}

/** ISO 8601 writes later years in another way. */
const END = Date.parse('+010000-01-01T00:00Z');

/**
 * Converts a text that passed isInstant to a form that PostgreSQL reads as the same moment in any time zone, with
 * microseconds. Accepts a space before the offset, because an unencoded `+` arrives as one in a query.
 */
export function instantForSql(text: string): string {
  const [, date = '', time = '00:00', hours, minutes = '00'] = INSTANT.exec(text) ?? [];
  const offset = hours === undefined ? 'Z' : `${hours.replace(' ', '+')}:${minutes}`;
  return `${date}T${time.replace(',', '.')}${offset}`;
}

/**
 * Returns the moment that a text names, which passed isInstant. A day without a time is its first moment in the time zone, or, as an
 * end, its last one (D67).
 */
export function momentIn(text: string, timeZone: string, as: 'start' | 'end'): string {
  if (text.length > 10) return instantForSql(text);
  const day = Temporal.PlainDate.from(text);
  const begin = (one: Temporal.PlainDate) => one.toZonedDateTime(timeZone).epochMilliseconds;
  return new Date(as === 'start' ? begin(day) : begin(day.add({ days: 1 })) - 1).toISOString();
}

const MOST_YEARS = 10;
const ONE_DAY = 24 * 3600 * 1000;

/**
 * Throws 400 for a start more than one day ago: clocks differ, and forms stay open for a while. It has no end, since what begins far
 * ahead changes nothing now.
 */
export function requireNotPast(moment: string, field: string, now: Date): void {
  if (Date.parse(moment) < now.getTime() - ONE_DAY) throw kitRefusals.moment_past({ field });
}

/** Throws 400 for a time that is before today or more than 10 years ahead (D67). `field` names it in the request. */
export function requireNear(
  moment: string,
  field: string,
  { now, timeZone, today }: { now: Date; timeZone: string; today: string },
): void {
  const time = Date.parse(moment);
  const day = Temporal.PlainDate.from(today);
  if (time < day.toZonedDateTime(timeZone).epochMilliseconds)
    throw kitRefusals.moment_before_today({ field, today });
  const last = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(timeZone)
    .add({ years: MOST_YEARS });
  if (time > last.epochMilliseconds) throw kitRefusals.moment_too_far({ field, years: MOST_YEARS });
}
