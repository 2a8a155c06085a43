import { expect, test } from 'vitest';
import { coolingOffEnd, dueAt, nextOpening } from './schedule.ts';

test.each([
  ['once', '2026-03-01T09:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T09:00:00Z'],
  ['once', '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z', null],
  ['monthly', '2026-03-01T09:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T09:00:00Z'],
  ['monthly', '2026-03-01T09:00:00Z', '2026-03-01T09:00:00Z', '2026-04-01T09:00:00Z'],
  ['monthly', '2026-01-31T09:00:00Z', '2026-02-01T00:00:00Z', '2026-02-28T09:00:00Z'],
  ['monthly', '2026-01-31T09:00:00Z', '2026-02-28T09:00:00Z', '2026-03-31T09:00:00Z'],
  ['monthly', '2026-01-31T09:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T09:00:00Z'],
  ['monthly', '2026-01-15T09:00:00Z', '2026-12-15T08:59:59Z', '2026-12-15T09:00:00Z'],
  ['quarterly', '2025-11-30T00:00:00Z', '2025-12-01T00:00:00Z', '2026-02-28T00:00:00Z'],
  ['quarterly', '2020-01-01T00:00:00Z', '2026-11-20T12:00:00Z', '2027-01-01T00:00:00Z'],
  ['annually', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z', '2025-02-28T00:00:00Z'],
  ['annually', '2024-02-29T00:00:00Z', '2027-03-01T00:00:00Z', '2028-02-29T00:00:00Z'],
] as const)(
  'a campaign that runs %s from %s: the opening after %s is %s',
  (frequency, starts_at, after, next) => {
    expect(nextOpening({ frequency, starts_at }, new Date(after))).toEqual(
      next === null ? null : new Date(next),
    );
  },
);

test('a campaign without a start never opens', () => {
  expect(nextOpening({ frequency: 'once', starts_at: null }, new Date())).toBeNull();
});

test('a cycle is due a number of days after it opened', () => {
  expect(dueAt(new Date('2026-02-20T09:30:00.500Z'), 14)).toEqual(new Date('2026-03-06T09:30:00.500Z'));
});

test('the cooling-off ends a number of hours after the decision', () => {
  expect(coolingOffEnd(new Date('2026-02-28T23:00:00Z'), 36)).toEqual(new Date('2026-03-02T11:00:00Z'));
  expect(coolingOffEnd(new Date('2026-02-28T23:00:00Z'), 0)).toEqual(new Date('2026-02-28T23:00:00Z'));
});
