import { expect, test } from 'vitest';
import { isOverdue, nextAfter, nextSync, requireSchedule } from './schedule.ts';

const daily = { cron: '30 2 * * *', time_zone: 'Europe/Berlin' };
const utc = (cron: string) => ({ cron, time_zone: 'UTC' });
const next = (from: string, schedule = daily) => nextSync(schedule, new Date(from), 0).toISOString();

test('runs once on the days on which the clocks change', () => {
  // 2:30 does not exist on the first day and exists twice on the second one.
  expect(next('2027-03-27T12:00:00Z')).toBe('2027-03-28T01:30:00.000Z');
  expect(next('2027-03-28T01:30:00Z')).toBe('2027-03-29T00:30:00.000Z');
  expect(next('2027-10-30T12:00:00Z')).toBe('2027-10-31T00:30:00.000Z');
  expect(next('2027-10-31T00:30:00Z')).toBe('2027-11-01T01:30:00.000Z');
});

test('starts at most a tenth of the pause late, and at most five minutes', () => {
  const from = new Date('2027-01-01T00:00:00Z');
  const late = (schedule: Parameters<typeof nextSync>[0], random: number) =>
    (nextSync(schedule, from, random).getTime() - nextSync(schedule, from, 0).getTime()) / 60_000;

  expect(late({ every_minutes: 20 }, 1)).toBe(2);
  expect(late({ every_minutes: 20 }, 0.5)).toBe(1);
  expect(late({ every_minutes: 10_080 }, 1)).toBe(5);
  expect(late(utc('0 12 * * *'), 1)).toBe(5);
});

test('each failure in a row doubles the pause of an interval, up to six hours', () => {
  const now = new Date('2027-01-01T00:00:00Z');
  const minutes = (every: number, failures: number) => {
    const planned = new Date(now.getTime() + every * 60_000);
    const next = nextAfter({ every_minutes: every }, failures, { planned, now, random: 0 });
    return (next.getTime() - now.getTime()) / 60_000;
  };

  expect([0, 1, 2, 3, 6, 7, 10].map((failures) => minutes(5, failures))).toEqual([
    5, 10, 20, 40, 320, 360, 360,
  ]);
  expect([1, 2, 3].map((failures) => minutes(60, failures))).toEqual([120, 240, 360]);
  expect([1, 5].map((failures) => minutes(1440, failures))).toEqual([1440, 1440]);
  const planned = new Date('2027-01-01T06:00:00Z');
  const after = (schedule: Parameters<typeof nextAfter>[0], failures: number) =>
    nextAfter(schedule, failures, { planned, now, random: 0 }).toISOString();
  expect(after({ every_minutes: 60 }, 0)).toBe('2027-01-01T01:00:00.000Z');
  expect(after(utc('0 6 * * *'), 5)).toBe(planned.toISOString());
});

test.each([
  ['0 0 30 2 *', 'The schedule is not valid'],
  ['0 0 29 2 *', 'more than 100 days apart'],
  ['0 0 1 1 *', 'more than 100 days apart'],
  ['*/4 * * * *', 'less than five minutes apart'],
  ['0,57 0,2,4,6,8,10,12,14,16,18,20,21 * * *', 'less than five minutes apart'],
  ['H H * * *', 'random time'],
  ['@daily', 'five fields'],
  ['61 * * * *', 'The schedule is not valid'],
])('refuses %s', (cron, detail) => {
  expect(() => requireSchedule(utc(cron))).toThrow(detail);
});

test.each(['*/5 * * * *', '0 6 * * THU', '0 0 1 */3 *', '15 3 L * *', '0 0 31 * *'])('accepts %s', (cron) => {
  expect(() => requireSchedule(utc(cron))).not.toThrow();
});

test('a sync is overdue when three of its times have passed', () => {
  const since = new Date('2027-01-01T00:00:00Z');
  const overdue = (now: string, last: string | null = null) =>
    isOverdue(utc('0 6 * * *'), last === null ? null : new Date(last), since, new Date(now));

  expect(overdue('2027-01-03T06:00:00Z')).toBe(false);
  expect(overdue('2027-01-03T06:00:01Z')).toBe(true);
  expect(overdue('2027-01-03T06:00:01Z', '2027-01-01T06:05:00Z')).toBe(false);
  const minutes = (now: string) => isOverdue({ every_minutes: 10 }, null, since, new Date(now));
  expect([minutes('2027-01-01T00:30:00Z'), minutes('2027-01-01T00:30:01Z')]).toEqual([false, true]);
});

test('reads the states of many connectors with the same success together', () => {
  const begun = process.threadCpuUsage();
  const since = new Date('2027-01-01T00:00:00Z');
  for (let i = 0; i < 20_000; i++)
    isOverdue(utc('0 0 1 */3 *'), null, since, new Date('2027-02-01T00:00:00Z'));

  expect(process.threadCpuUsage(begun).user).toBeLessThan(2000_000);
});

test('a schedule that can no longer be read is not overdue', () => {
  const gone = { cron: '0 6 * * *', time_zone: 'Mars/Olympus' };

  expect(isOverdue(gone, null, new Date(0), new Date())).toBe(false);
});

test('runs a time once that clocks show twice, also if it was queued late', () => {
  const late = { cron: '59 2 * * *', time_zone: 'Europe/Berlin' };
  // 2:59 was at 00:59Z, and is again at 01:59Z.
  expect(next('2026-10-25T00:58:00Z', late)).toBe('2026-10-25T00:59:00.000Z');
  expect(next('2026-10-25T01:03:00Z', late)).toBe('2026-10-26T01:59:00.000Z');
  expect(next('2026-10-25T01:30:00Z', late)).toBe('2026-10-26T01:59:00.000Z');
  const twice = { cron: '*/30 1-3 * * *', time_zone: 'Europe/Berlin' };
  expect(next('2026-10-25T00:30:00Z', twice)).toBe('2026-10-25T02:00:00.000Z');
  expect(next('2027-03-28T00:30:00Z', twice)).toBe('2027-03-28T01:00:00.000Z');
});

test('a schedule for every hour goes on in the hour that comes twice', () => {
  const hourly = { cron: '15 * * * *', time_zone: 'Europe/Berlin' };
  expect(next('2026-10-25T00:20:00Z', hourly)).toBe('2026-10-25T01:15:00.000Z');
});
