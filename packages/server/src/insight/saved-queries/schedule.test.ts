import { expect, test } from 'vitest';
import { nextRun, type Times } from './schedule.ts';

const daily: Times = { every: 'daily', hour: 8, weekday: null, day: null };
const weekly: Times = { ...daily, every: 'weekly', weekday: 1 };
const monthly = (day: number): Times => ({ ...daily, every: 'monthly', day });

test.each<[string, Times, string, string]>([
  ['today, if the hour is to come', daily, '2027-03-01T06:59:59Z', '2027-03-01T07:00:00Z'],
  ['tomorrow, at the hour itself', daily, '2027-03-01T07:00:00Z', '2027-03-02T07:00:00Z'],
  ['in summer time', daily, '2027-03-27T07:00:00Z', '2027-03-28T06:00:00Z'],
  [
    'later, where the clocks skip the hour',
    { ...daily, hour: 2 },
    '2027-03-27T12:00:00Z',
    '2027-03-28T01:00:00Z',
  ],
  [
    'once, where the clocks repeat the hour',
    { ...daily, hour: 2 },
    '2027-10-31T00:30:00Z',
    '2027-11-01T01:00:00Z',
  ],
  ['on the weekday', weekly, '2027-03-02T12:00:00Z', '2027-03-08T07:00:00Z'],
  ['on the day of the month', monthly(15), '2027-03-15T07:00:00Z', '2027-04-15T06:00:00Z'],
  ['on the last day of a shorter month', monthly(31), '2027-02-01T00:00:00Z', '2027-02-28T07:00:00Z'],
  ['on the day of the place, not of UTC', monthly(1), '2027-02-28T23:30:00Z', '2027-03-01T07:00:00Z'],
])('runs %s', (_, times, after, expected) => {
  expect(nextRun(times, 'Europe/Berlin', new Date(after))).toEqual(new Date(expected));
});
