const INSTANT =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(?:Z|([+ -]\d\d)(?::?(\d\d))?)?)?$/i;

/** Any ISO 8601 date or time; without an offset it is UTC (D4). */
export const isInstant = (text: unknown): text is string =>
  typeof text === 'string' && INSTANT.test(text) && !Number.isNaN(Date.parse(instantForSql(text)));

/**
 * `text`, once isInstant holds, in the form that PostgreSQL reads as the same moment whatever its time zone, with
 * its microseconds. An unencoded `+` reaches a query as a space; it is read as what was meant.
 */
export function instantForSql(text: string): string {
  const [, date = '', time = '00:00', hours, minutes = '00'] = INSTANT.exec(text) ?? [];
  const offset = hours === undefined ? 'Z' : `${hours.replace(' ', '+')}:${minutes}`;
  return `${date}T${time.replace(',', '.')}${offset}`;
}
