import { expect, test } from 'vitest';
import { dateIn, endOf } from './find-dates.ts';

/** A Monday. */
const NOW = new Date(2026, 10, 30, 14, 30);

const found = (text: string) => {
  const dated = dateIn(text, NOW);
  const { day } = dated ?? {};
  return day && [dated?.rest, `${day.getFullYear()}-${day.getMonth() + 1}-${day.getDate()}`];
};

test.each([
  ['dilan 2026-10-15', 'dilan', '2026-10-15'],
  ['2026-10-15  dilan', 'dilan', '2026-10-15'],
  ['payment run 15.10.2026', 'payment run', '2026-10-15'],
  ['payment run 5. 1. 2025', 'payment run', '2025-1-5'],
  ['dilan 15.10.', 'dilan', '2026-10-15'],
  ['dilan 24.12.', 'dilan', '2025-12-24'],
  ['dilan 15 Oct', 'dilan', '2026-10-15'],
  ['dilan 15 Dec', 'dilan', '2025-12-15'],
  ['dilan Oct 15, 2024', 'dilan', '2024-10-15'],
  ['dilan 1 sept. 2024', 'dilan', '2024-9-1'],
  ['dilan 15. Oktober 2025', 'dilan', '2025-10-15'],
  ['dilan 3. Mär', 'dilan', '2026-3-3'],
  ['dilan 30 Nov', 'dilan', '2026-11-30'],
  ['dilan yesterday', 'dilan', '2026-11-29'],
  ['gestern dilan', 'dilan', '2026-11-29'],
  ['dilan vorgestern', 'dilan', '2026-11-28'],
  ['dilan day before yesterday', 'dilan', '2026-11-28'],
  ['dilan last week', 'dilan', '2026-11-29'],
  ['dilan last month', 'dilan', '2026-10-31'],
  ['dilan letzten Monat', 'dilan', '2026-10-31'],
  ['dilan letztes Jahr', 'dilan', '2025-12-31'],
  ['dilan 3 days ago', 'dilan', '2026-11-27'],
  ['dilan a month ago', 'dilan', '2026-10-30'],
  ['dilan 9 months ago', 'dilan', '2026-2-28'],
  ['dilan vor 2 Wochen', 'dilan', '2026-11-16'],
  ['dilan vor einem Jahr', 'dilan', '2025-11-30'],
  ['payment run on 2026-10-01', 'payment run', '2026-10-1'],
  ['Who had Payment run on 1 Oct', 'Payment run', '2026-10-1'],
  ['wer hatte Payment run am 1.10.2026', 'Payment run', '2026-10-1'],
])('finds the day in "%s"', (text, rest, day) => {
  expect(found(text)).toEqual([rest, day]);
});

test.each([
  'dilan',
  '2026-10-15',
  'dilan 2026-12-01',
  'dilan 2026-02-30',
  'dilan 2026-13-01',
  'dilan 31.11.2026',
  'dilan 15 Foo',
  'dilan 32 Oct',
  'dilan 0 Oct',
  'team 12',
  'release 2026.10',
  'yesterday',
  'dilanyesterday',
])('takes "%s" as a name', (text) => {
  expect(found(text)).toBeUndefined();
});

test('means the end of the day, and now for today', () => {
  expect(endOf(new Date(2026, 9, 15), NOW)).toBe(new Date(2026, 9, 15, 23, 59, 59, 999).toISOString());
  expect(endOf(new Date(2026, 10, 30), NOW)).toBe(NOW.toISOString());
});
