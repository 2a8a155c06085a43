import { expect, test } from 'vitest';
import { dueWords, scheduleWords } from './schedule.ts';

test.each([
  [null, 'only when someone starts one'],
  [{ every_minutes: 30 }, 'every 30 minutes'],
  [{ every_minutes: 60 }, 'every hour'],
  [{ every_minutes: 360 }, 'every 6 hours'],
  [{ every_minutes: 2880 }, 'every 2 days'],
  [{ cron: '30 6 * * 1-5', time_zone: 'Europe/Berlin' }, 'at 06:30, Monday to Friday (Europe/Berlin)'],
  [{ cron: '0 6,18 * * *', time_zone: 'UTC' }, 'at 06:00 and 18:00, every day (UTC)'],
  [{ cron: '5 * * * 0,6', time_zone: 'UTC' }, 'every hour at minute 5, on Sunday and Saturday (UTC)'],
  [{ cron: '*/20 * 1 * *', time_zone: 'UTC' }, 'on the cron schedule */20 * 1 * * (UTC)'],
])('describes the schedule %j', (schedule, words) => {
  expect(scheduleWords(schedule)).toBe(words);
});

test('says since when a sync is due, and that one is running', () => {
  const due = new Date(2026, 10, 20, 2, 0);
  expect(dueWords(due, false)).toMatch(/^Due since Nov 20, 2026, 2:00\sAM$/);
  expect(dueWords(due, true)).toBe('After the current sync');
});
