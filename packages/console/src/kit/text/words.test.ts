import { describe, expect, test } from 'vitest';
import { durationWords, fromNow, localInput, localTime, withLocalTimes } from './words.ts';

const NOW = new Date(2026, 10, 21, 21, 0, 0);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('fromNow', () => {
  test.each([
    ['just now', 5_000],
    ['in 45 seconds', 45_500],
    ['in 1 hour', HOUR],
    ['in 23 hours', 23 * HOUR],
    ['tomorrow', DAY - 500],
    ['in 2 days', 30 * HOUR],
    ['in 14 days', 14 * DAY - 200],
    ['in 30 days', 30 * DAY],
    ['in 3 months', 91 * DAY],
    ['in 13 months', 396 * DAY],
    ['5 minutes ago', -5 * MINUTE - 10_000],
    ['yesterday', -DAY],
    ['8 days ago', -8 * DAY],
    ['3 years ago', -3 * 366 * DAY],
  ])('returns %s', (words, ms) => {
    expect(fromNow(new Date(NOW.getTime() + ms), NOW.getTime())).toBe(words);
  });
});

test.each([
  ['P1M15D', '1 month and 15 days'],
  ['P1Y2M3DT4H', '1 year, 2 months, 3 days, and 4 hours'],
  ['PT90M', '90 minutes'],
  ['soon', 'soon'],
])('describes the duration %s as %s', (iso, words) => {
  expect(durationWords(iso)).toBe(words);
});

test('shows the times in a text of the server in local time', () => {
  const time = '2026-11-21T04:05:06.007Z';
  expect(withLocalTimes(`It is due on ${time}. Decide.`)).toBe(
    `It is due on ${localTime(new Date(time))}. Decide.`,
  );
});

test('returns the value of a field for a local date and time', () => {
  const time = '2026-11-21T04:05:00.000Z';
  expect(new Date(localInput(time)).toISOString()).toBe(time);
});
