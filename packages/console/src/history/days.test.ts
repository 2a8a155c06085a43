import { expect, test } from 'vitest';
import { askedFrom, dayAfter, dayFrom, dayOf, endOf, firstOf, startOf } from './days.ts';

const today = dayFrom('2026-11-30');

test('counts days in the time zone of the reader', () => {
  expect(dayOf(new Date(2026, 10, 30, 0, 0))).toBe(today);
  expect(dayOf(new Date(2026, 10, 30, 23, 59))).toBe(today);
  expect(startOf(today)).toEqual(new Date(2026, 10, 30));
});

test('shows a day as it was at its end, and today as it is now', () => {
  expect(endOf(today, today)).toBeUndefined();
  expect(endOf(today - 1, today)).toBe(new Date(2026, 10, 29, 23, 59, 59).toISOString());
  // Clocks change in many time zones.
  expect(endOf(dayFrom('2026-10-25'), today)).toBe(new Date(2026, 9, 25, 23, 59, 59).toISOString());
});

test('begins shortly before the first mark, at least two weeks and at most a year ago', () => {
  expect(firstOf([], today, today)).toBe(today - 14);
  expect(firstOf([today - 100], today, today)).toBe(today - 101);
  expect(firstOf([today - 700], today, today)).toBe(today - 365);
  expect(askedFrom(today - 700, today)).toBe(today - 730);
  expect(firstOf([], today - 700, today)).toBe(today - 701);
});

test('moves by keys, and stays on the band', () => {
  const moved = (key: string, day: number) => dayAfter(key, day, today - 100, today);
  expect(moved('ArrowLeft', today)).toBe(today - 1);
  expect(moved('ArrowRight', today)).toBe(today);
  expect(moved('PageDown', today - 90)).toBe(today - 100);
  expect(moved('Home', today)).toBe(today - 100);
  expect(moved('End', today - 50)).toBe(today);
  expect(moved('a', today)).toBeUndefined();
});
