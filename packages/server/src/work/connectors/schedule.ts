import { CronExpressionParser } from 'cron-parser';
import { scheduleSentences } from './sentences.ts';
import { invalidAt } from './settings.ts';

/** When syncs run: every so many minutes, or at the times of a cron expression in a time zone. */
export type Schedule = { every_minutes: number } | { cron: string; time_zone: string };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Syncs of many apps with the same schedule start up to a tenth of the pause apart, at most so late. */
const MOST_JITTER_MS = 5 * MINUTE_MS;
/** The field of a form that shows the error. */
const FIELD = ['schedule.cron'];
const SHORTEST_PAUSE_MS = 5 * MINUTE_MS;
/** Finding times that are years apart takes the parser a tenth of a second each. */
const LONGEST_PAUSE_MS = 100 * DAY_MS;
const MOST_CHECKED = 300;

/** Throws 400 for an invalid expression, and for one that starts syncs too often or too rarely. */
export function requireSchedule(schedule: Schedule): void {
  if ('every_minutes' in schedule) return;
  const now = Date.now();
  const next = timesAfter(schedule, new Date(now));
  let [first, last] = [undefined as number | undefined, now];
  for (let i = 0; i < MOST_CHECKED && last - (first ?? last) <= DAY_MS; i++) {
    const time = timeOf(next);
    if (first !== undefined && time - last < SHORTEST_PAUSE_MS)
      throw invalidAt(FIELD, scheduleSentences.cron_too_often());
    if (time - last > LONGEST_PAUSE_MS) throw invalidAt(FIELD, scheduleSentences.cron_too_rare());
    first ??= time;
    last = time;
  }
}

/**
 * Returns a function for the times after another, one after the other. An hour that a schedule names comes twice when clocks go back:
 * its times are those of the first. A schedule for every hour goes on.
 */
function timesAfter(schedule: { cron: string; time_zone: string }, from: Date): () => number {
  const times = parse(schedule, from);
  const namesHours = !schedule.cron.trim().split(/\s+/)[1]?.startsWith('*');
  return () => {
    for (;;) {
      const time = times.next().getTime();
      if (!(namesHours && isRepeated(time, schedule.time_zone))) return time;
    }
  };
}

/** Whether clocks have shown the same time before, on the same day. */
function isRepeated(time: number, zone: string): boolean {
  const shown = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone).toPlainDateTime();
  return shown.toZonedDateTime(zone, { disambiguation: 'earlier' }).epochMilliseconds !== time;
}

function parse({ cron, time_zone }: { cron: string; time_zone: string }, from: Date) {
  if (cron.trim().split(/\s+/).length !== 5) throw invalidAt(FIELD, scheduleSentences.cron_fields());
  if (/(^|[\s,])H/i.test(cron)) throw invalidAt(FIELD, scheduleSentences.cron_random());
  try {
    return CronExpressionParser.parse(cron, { currentDate: from, tz: time_zone });
  } catch (error) {
    throw unusable(error);
  }
}

function timeOf(find: () => number): number {
  try {
    return find();
  } catch (error) {
    throw unusable(error);
  }
}

const unusable = (error: unknown) =>
  invalidAt(FIELD, scheduleSentences.schedule_invalid({ problem: (error as Error).message }));

/** Returns when the next sync is due after a time, with a delay that spreads the syncs of many apps. */
export function nextSync(schedule: Schedule, from: Date, random = Math.random()): Date {
  const exact =
    'every_minutes' in schedule
      ? from.getTime() + schedule.every_minutes * MINUTE_MS
      : timesAfter(schedule, from)();
  const pause = exact - from.getTime();
  return new Date(exact + Math.round(random * Math.min(pause / 10, MOST_JITTER_MS)));
}

const LONGEST_BACKOFF_MS = 6 * 60 * MINUTE_MS;

/**
 * Returns when the next sync is due after one that has ended, or after a change of the connector. Each failure in a row doubles
 * the pause of an interval, up to six hours. The times of a cron expression stay as they are.
 */
export function nextAfter(
  schedule: Schedule,
  failures: number,
  { planned, now, random }: { planned: Date; now: Date; random?: number },
): Date {
  if (!('every_minutes' in schedule)) return planned;
  const usual = schedule.every_minutes;
  const pause = Math.min(usual * 2 ** failures, LONGEST_BACKOFF_MS / MINUTE_MS);
  if (pause > usual) return nextSync({ every_minutes: pause }, now, random);
  const next = nextSync(schedule, now, random);
  return next < planned ? next : planned;
}

/** Whether no sync has succeeded for three intervals of the schedule before `now`. */
export function isOverdue(schedule: Schedule, lastSuccess: Date | null, since: Date, now: Date): boolean {
  const reference = Math.max(lastSuccess?.getTime() ?? 0, since.getTime());
  if ('every_minutes' in schedule) return now.getTime() - reference > 3 * schedule.every_minutes * MINUTE_MS;
  return now.getTime() > thirdTime(schedule, reference);
}

const thirdTimes = new Map<string, number>();
const MOST_REMEMBERED = 10_000;

/** Returns the third time of a schedule after another. Lists show many schedules, and each takes the parser a millisecond. */
function thirdTime(schedule: { cron: string; time_zone: string }, from: number): number {
  const key = `${schedule.cron} ${schedule.time_zone} ${from}`;
  const known = thirdTimes.get(key);
  if (known !== undefined) return known;
  let third = Number.POSITIVE_INFINITY;
  try {
    const next = timesAfter(schedule, new Date(from));
    for (let i = 0; i < 3; i++) third = next();
  } catch {
    // A time zone may have left the database of the system. No sync is due then, so none is late.
    third = Number.POSITIVE_INFINITY;
  }
  if (thirdTimes.size >= MOST_REMEMBERED) thirdTimes.delete(thirdTimes.keys().next().value as string);
  thirdTimes.set(key, third);
  return third;
}
