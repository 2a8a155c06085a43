import { plural, t } from '@lingui/core/macro';
import { listed } from '../../../kit/text/listed.ts';
import { localTime } from '../../../kit/text/words.ts';
import type { Schedule } from './connector.ts';

const DAYS = [t`Sunday`, t`Monday`, t`Tuesday`, t`Wednesday`, t`Thursday`, t`Friday`, t`Saturday`, t`Sunday`];
const DAYS_WITH_WORKDAYS: Record<string, string> = { '*': t`every day`, '1-5': t`Monday to Friday` };

/** Returns a schedule as the end of a sentence: "every 30 minutes", "at 06:30, Monday to Friday (Europe/Berlin)". */
export function scheduleWords(schedule: Schedule | null): string {
  if (schedule === null) return t`only when someone starts one`;
  if ('every_minutes' in schedule) return everyWords(schedule.every_minutes);
  const times = cronWords(schedule.cron);
  const zone = schedule.time_zone;
  return t`${times} (${zone})`;
}

/** Whether failures in a row delay the next sync: the pause of an interval doubles, up to six hours. */
export const isDelayed = (schedule: Schedule | null) =>
  schedule !== null && 'every_minutes' in schedule && schedule.every_minutes < 360;

/** Says that a sync is due and has not begun, or that one is running, after which the next is planned. */
export function dueWords(due: Date, isRunning: boolean): string {
  if (isRunning) return t`After the current sync`;
  const time = localTime(due);
  return t`Due since ${time}`;
}

function everyWords(minutes: number): string {
  const hours = minutes / 60;
  const days = hours / 24;
  if (days === 1) return t`every 24 hours`;
  if (Number.isInteger(days)) return plural(days, { one: 'every day', other: 'every # days' });
  if (Number.isInteger(hours)) return plural(hours, { one: 'every hour', other: 'every # hours' });
  return plural(minutes, { one: 'every minute', other: 'every # minutes' });
}

/** Puts common expressions into words. Others stay as they are. */
function cronWords(cron: string): string {
  const plain = t`on the cron schedule ${cron}`;
  const [minute = '', hour = '', dayOfMonth, month, dayOfWeek = ''] = cron.trim().split(/\s+/);
  if (dayOfMonth !== '*' || month !== '*' || !/^\d{1,2}$/.test(minute)) return plain;
  const days = dayWords(dayOfWeek);
  if (days === undefined) return plain;
  const past = minute.padStart(2, '0');
  if (hour === '*') {
    const number = Number(minute);
    return t`every hour at minute ${number}, ${days}`;
  }
  if (!/^\d{1,2}(,\d{1,2})*$/.test(hour)) return plain;
  const times = listed(hour.split(',').map((one) => `${one.padStart(2, '0')}:${past}`));
  return t`at ${times}, ${days}`;
}

function dayWords(field: string): string | undefined {
  const known = DAYS_WITH_WORKDAYS[field];
  if (known !== undefined) return known;
  if (!/^[0-7](,[0-7])*$/.test(field)) return undefined;
  const days = listed(field.split(',').map((day) => DAYS[Number(day)] ?? day));
  return t`on ${days}`;
}
