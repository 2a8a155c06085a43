const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(?:Z|([+ -](?:0\d|1[0-5]))(?::?(\d\d))?)?)?$/i;

/** Whether `text` is an ISO 8601 date or time. Without an offset it is UTC (D4). */
export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' && INSTANT.test(text) && exists(text);

/** Whether the day is in the calendar. Date.parse would move 30 February to March. */
function exists(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return false;
  return !Number.isNaN(Date.parse(instantForSql(text)));
}

/**
 * Converts a text that passed isInstant to a form that PostgreSQL reads as the same moment in any time zone, with
 * microseconds. Accepts a space before the offset, because an unencoded `+` arrives as one in a query.
 */
export function instantForSql(text: string): string {
  const [, date = '', time = '00:00', hours, minutes = '00'] = INSTANT.exec(text) ?? [];
  const offset = hours === undefined ? 'Z' : `${hours.replace(' ', '+')}:${minutes}`;
  return `${date}T${time.replace(',', '.')}${offset}`;
}
