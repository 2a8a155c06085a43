import { counted } from '../../../parts/words.ts';
import type { Schedule } from './connector.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const DAYS_WITH_WORKDAYS: Record<string, string> = { '*': 'every day', '1-5': 'Monday to Friday' };

/** Returns a schedule as the end of a sentence: "every 30 minutes", "at 06:30, Monday to Friday (Europe/Berlin)". */
export function scheduleWords(schedule: Schedule | null): string {
  if (schedule === null) return 'only when someone starts one';
  if ('every_minutes' in schedule) return everyWords(schedule.every_minutes);
  return `${cronWords(schedule.cron)} (${schedule.time_zone})`;
}

/** Whether failures in a row delay the next sync: the pause of an interval doubles, up to six hours. */
export const isDelayed = (schedule: Schedule | null) =>
  schedule !== null && 'every_minutes' in schedule && schedule.every_minutes < 360;

function everyWords(minutes: number): string {
  if (minutes % 1440 === 0)
    return minutes === 1440 ? 'every 24 hours' : `every ${counted(minutes / 1440, 'day')}`;
  if (minutes % 60 === 0) return minutes === 60 ? 'every hour' : `every ${counted(minutes / 60, 'hour')}`;
  return `every ${counted(minutes, 'minute')}`;
}

/** Puts common expressions into words. Others stay as they are. */
function cronWords(cron: string): string {
  const plain = `on the cron schedule ${cron}`;
  const [minute = '', hour = '', dayOfMonth, month, dayOfWeek = ''] = cron.trim().split(/\s+/);
  if (dayOfMonth !== '*' || month !== '*' || !/^\d{1,2}$/.test(minute)) return plain;
  const days = dayWords(dayOfWeek);
  if (days === undefined) return plain;
  const past = minute.padStart(2, '0');
  if (hour === '*') return `every hour at minute ${Number(minute)}, ${days}`;
  if (!/^\d{1,2}(,\d{1,2})*$/.test(hour)) return plain;
  const times = hour.split(',').map((one) => `${one.padStart(2, '0')}:${past}`);
  return `at ${inWords(times)}, ${days}`;
}

function dayWords(field: string): string | undefined {
  const known = DAYS_WITH_WORKDAYS[field];
  if (known !== undefined) return known;
  if (!/^[0-7](,[0-7])*$/.test(field)) return undefined;
  return `on ${inWords(field.split(',').map((day) => DAYS[Number(day)] ?? day))}`;
}

const inWords = (words: string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/** The time zones that the browser knows. */
export const timeZones = () => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
];

export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;
