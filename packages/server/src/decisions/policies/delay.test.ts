import { expect, test } from 'vitest';
import { afterDelay, requireDelay } from './delay.ts';

test.each([
  [null, '2026-01-31T10:00:00.000Z'],
  ['P0D', '2026-01-31T10:00:00.000Z'],
  ['P30D', '2026-03-02T10:00:00.000Z'],
  ['P1M', '2026-02-28T10:00:00.000Z'],
  ['P1Y1M', '2027-02-28T10:00:00.000Z'],
  ['P2W', '2026-02-14T10:00:00.000Z'],
  ['PT36H', '2026-02-01T22:00:00.000Z'],
  ['PT0.5S', '2026-01-31T10:00:00.500Z'],
  ['P1Y2M10DT2H30M', '2027-04-10T12:30:00.000Z'],
])('January 31 plus %s is %s', (delay, expected) => {
  expect(afterDelay(new Date('2026-01-31T10:00:00Z'), delay)).toEqual(new Date(expected));
});

test.each(['P0D', 'PT0.5S', 'P1Y2M10DT2H30M', 'P10Y'])('accepts %s', (delay) => {
  expect(() => requireDelay(delay)).not.toThrow();
});

test.each(['30 days', 'P', 'PT', '-P1D', 'P-1D', 'P1.5D', 'PT0.5H', 'PT0,5S', 'P1DT', 'p1d', 'P1Dt1h', ''])(
  'rejects "%s"',
  (delay) => {
    expect(() => requireDelay(delay)).toThrow('ISO 8601 duration');
  },
);

test('rejects a delay of more than 10 years', () => {
  expect(() => requireDelay('P10Y1D')).toThrow('at most 10 years');
});
