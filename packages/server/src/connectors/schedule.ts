import { CronExpressionParser } from 'cron-parser';
import { invalidAt } from './settings.ts';

/** When syncs run: every so many minutes, or at the times of a cron expression in a time zone. */
export type Schedule = { every_minutes: number } | { cron: string; time_zone: string };

const MINUTE_MS = 60_000;
/** Syncs of many apps with the same schedule start up to a tenth of the pause apart, at most so late. */
const MOST_JITTER_MS = 5 * MINUTE_MS;
/** The field of a form that shows the error. */
const FIELD = ['schedule.cron'];
const SHORTEST_PAUSE_MS = 5 * MINUTE_MS;

/** Throws 400 for an invalid expression, and for one that starts more than one sync in five minutes. */
export function requireSchedule(schedule: Schedule): void {
  if ('every_minutes' in schedule) return;
  const parsed = parse(schedule, new Date());
  let last: number | undefined;
  for (let i = 0; i < 10 && parsed.hasNext(); i++) {
    const next = parsed.next().getTime();
    if (last !== undefined && next - last < SHORTEST_PAUSE_MS)
      throw invalidAt(
        FIELD,
        'The cron expression starts syncs less than five minutes apart. Leave more time between them.',
      );
    last = next;
  }
}

function parse({ cron, time_zone }: { cron: string; time_zone: string }, from: Date) {
  if (cron.trim().split(/\s+/).length !== 5)
    throw invalidAt(
      FIELD,
      'The cron expression needs five fields: minute, hour, day of month, month and day of week.',
    );
  try {
    return CronExpressionParser.parse(cron, { currentDate: from, tz: time_zone });
  } catch (error) {
    throw invalidAt(FIELD, `The schedule is not valid: ${(error as Error).message}.`);
  }
}

/** Returns when the next sync is due after a time, with a delay that spreads the syncs of many apps. */
export function nextSync(schedule: Schedule, from: Date, random = Math.random()): Date {
  const exact =
    'every_minutes' in schedule
      ? from.getTime() + schedule.every_minutes * MINUTE_MS
      : parse(schedule, from).next().getTime();
  const pause = exact - from.getTime();
  return new Date(exact + Math.round(random * Math.min(pause / 10, MOST_JITTER_MS)));
}

/** Whether no sync has succeeded within three pauses of the schedule before `now`. */
export function isOverdue(schedule: Schedule, lastSuccess: Date | null, since: Date, now: Date): boolean {
  const reference = Math.max(lastSuccess?.getTime() ?? 0, since.getTime());
  if ('every_minutes' in schedule) return now.getTime() - reference > 3 * schedule.every_minutes * MINUTE_MS;
  const times = parse(schedule, now);
  let third = now.getTime();
  for (let i = 0; i < 3; i++) third = times.prev().getTime();
  return reference < third;
}
