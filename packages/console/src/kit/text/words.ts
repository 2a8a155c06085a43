import { t } from '@lingui/core/macro';
import { formatTag } from '../../language/language.ts';
import { ownTimeZone } from '../form/time-zones.ts';
import { listed } from './listed.ts';

const numbers = new Intl.NumberFormat(formatTag, { useGrouping: true });
const relative = new Intl.RelativeTimeFormat(formatTag, { numeric: 'auto' });
const exactly = new Intl.RelativeTimeFormat(formatTag, { numeric: 'always' });

/** "1,234,567" */
export const grouped = (value: number) => numbers.format(value);

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "3 minutes ago", "tomorrow", "in 14 days". Rounds to the nearest unit, and counts days by the calendar. */
export function fromNow(moment: Date, now = Date.now()): string {
  const seconds = (moment.getTime() - now) / 1000;
  const size = Math.abs(seconds);
  if (size < 10) return t`just now`;
  if (size < MINUTE) return exactly.format(Math.trunc(seconds), 'second');
  if (size < 59.5 * MINUTE) return exactly.format(Math.round(seconds / MINUTE), 'minute');
  if (size < 23.5 * HOUR) return exactly.format(Math.round(seconds / HOUR), 'hour');
  const days = (midnight(moment) - midnight(new Date(now))) / (DAY * 1000);
  if (Math.abs(days) < 60) return relative.format(days, 'day');
  const months = Math.round(days / 30.44);
  if (Math.abs(months) < 24) return exactly.format(months, 'month');
  return exactly.format(Math.round(days / 365.25), 'year');
}

/** The local day as a moment of UTC, where every day has 24 hours. */
const midnight = (moment: Date) => Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());

const locally = new Intl.DateTimeFormat(formatTag, { dateStyle: 'medium', timeStyle: 'short' });

/** "Nov 21, 2026, 4:05 AM", in the reader's time zone. */
export const localTime = (moment: Date) => locally.format(moment);

const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/** Returns a text of the server with its times in the reader's time zone. */
export const withLocalTimes = (text: string) => text.replace(TIME, (time) => localTime(new Date(time)));

const withZone = new Intl.DateTimeFormat(formatTag, {
  dateStyle: 'medium',
  timeStyle: 'long',
});

/** "Nov 21, 2026, 4:05:06 AM GMT+1", in the reader's time zone. */
export const zonedTime = (moment: Date) => withZone.format(moment);

const days = new Intl.DateTimeFormat(formatTag, { dateStyle: 'long' });

/** "March 31, 2027" */
export const localDay = (moment: Date) => days.format(moment);

const shortDays = new Intl.DateTimeFormat(formatTag, { month: 'short', day: 'numeric' });
const mediumDays = new Intl.DateTimeFormat(formatTag, { dateStyle: 'medium' });

/** "Sep 6", or "Sep 6, 2025" in another year. */
export const shortDay = (moment: Date, now = new Date()) =>
  (moment.getFullYear() === now.getFullYear() ? shortDays : mediumDays).format(moment);

/** "Mar 31, 2027" */
export const mediumDay = (moment: Date) => mediumDays.format(moment);

const toTheSecond = new Intl.DateTimeFormat(formatTag, { dateStyle: 'medium', timeStyle: 'medium' });

/** Returns two different moments as local times, with seconds if they are in the same minute. */
export function localTimes(first: Date, second: Date): [string, string] {
  const words: [string, string] = [localTime(first), localTime(second)];
  return words[0] === words[1] ? [toTheSecond.format(first), toTheSecond.format(second)] : words;
}

/** Returns a moment as the value of a field for a local date and time. */
export function localInput(moment: string): string {
  const date = new Date(moment);
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE * 1000).toISOString().slice(0, 16);
}

/** "Times are in your time zone, Europe/Berlin." */
export function zoneWords(): string {
  const timeZone = ownTimeZone();
  return t`Times are in your time zone, ${timeZone}.`;
}

/** Returns a person's name, or the email if there is none. */
export function personName(person: { first_name?: string; last_name?: string; email: string }): string {
  const name = [person.first_name, person.last_name]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return name === '' ? person.email : name;
}

/** Returns a duration: "850 ms", "12 s", "3 min", "2 h". */
export const lasted = (from: string, to: string) =>
  milliseconds(Math.max(0, new Date(to).getTime() - new Date(from).getTime()));

const tenths = new Intl.NumberFormat(formatTag, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Returns a duration in the words of {@link lasted}. */
export function milliseconds(ms: number): string {
  if (ms < 1000) return `${grouped(ms)} ms`;
  if (ms < 10_000) return `${tenths.format(ms / 1000)} s`;
  if (ms < 120_000) return `${grouped(Math.round(ms / 1000))} s`;
  if (ms < 7_200_000) return `${grouped(Math.round(ms / 60_000))} min`;
  return `${grouped(Math.round(ms / 3_600_000))} h`;
}

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'];
/** Returns "1 month and 15 days" for "P1M15D". Text that is not a duration stays as it is. */
export function durationWords(iso: string): string {
  const words = (DURATION.exec(iso) ?? []).slice(1).flatMap((number, index) => {
    const format = { style: 'unit', unit: UNITS[index], unitDisplay: 'long' } as const;
    return Number(number) > 0 ? [new Intl.NumberFormat(formatTag, format).format(Number(number))] : [];
  });
  return words.length === 0 ? iso : listed(words);
}
