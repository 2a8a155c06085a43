import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { openTestDatabase } from '#test/database.ts';
import { instantForSql, isInstant, momentIn, requireNear } from './instants.ts';

const { database, close } = await openTestDatabase();
afterAll(close);

/** Returns the moment that PostgreSQL reads in a session whose time zone is not UTC. */
const read = (text: string) =>
  database.db.transaction().execute(async (tx) => {
    await sql`set local timezone to 'America/New_York'`.execute(tx);
    const { rows } = await sql<{ at: Date }>`select ${instantForSql(text)}::timestamptz as at`.execute(tx);
    return rows[0]?.at.toISOString();
  });

test.each([
  ['2026-01-31T10:20:30Z', '2026-01-31T10:20:30.000Z'],
  ['2026-01-31t10:20:30z', '2026-01-31T10:20:30.000Z'],
  ['2026-01-31T10:20:30.123456Z', '2026-01-31T10:20:30.123Z'],
  ['2026-01-31T10:20:30,5Z', '2026-01-31T10:20:30.500Z'],
  ['2026-01-31 10:20:30Z', '2026-01-31T10:20:30.000Z'],
  ['2026-01-31T10:20Z', '2026-01-31T10:20:00.000Z'],
  ['2026-01-31T10:20:30', '2026-01-31T10:20:30.000Z'],
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31T10:20:30+02:00', '2026-01-31T08:20:30.000Z'],
  ['2026-01-31T10:20:30+0530', '2026-01-31T04:50:30.000Z'],
  ['2026-01-31T10:20:30-05', '2026-01-31T15:20:30.000Z'],
  // An unencoded + in a query arrives as a space.
  ['2026-01-31T10:20:30 02:00', '2026-01-31T08:20:30.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
])('%s is a moment (D4)', async (text, moment) => {
  expect(isInstant(text)).toBe(true);
  expect(await read(text)).toBe(moment);
});

test.each([
  '',
  'now',
  'tomorrow',
  'infinity',
  '2026',
  '2026-01',
  '20260131',
  '2026-13-01',
  '2026-01-32',
  '2099-02-30',
  '2026-02-29T10:00Z',
  '2026-04-31T10:20:30+02:00',
  '2026-01-31T24:61Z',
  '2026-01-31T25:00Z',
  '2026-01-31T10:60Z',
  '2026-01-31T10',
  '2026-01-31T10:20:30+25:00',
  // Beyond the offsets that PostgreSQL reads.
  '2026-01-31T10:20:30+16:00',
  '2026-01-31T10:20:30-18:30',
  '31.01.2026',
  '1769854830',
  ' 2026-01-31',
  '2026-01-31T10:20:30Z\n',
  // In UTC, a day of the year 10000.
  '9999-12-31T23:30-01:00',
])('%j is none', (text) => {
  expect(isInstant(text)).toBe(false);
});

test('reads every ISO string that JavaScript writes', async () => {
  const range = {
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  };
  await fc.assert(
    fc.asyncProperty(fc.date(range), async (date) => {
      expect(isInstant(date.toISOString())).toBe(true);
      expect(await read(date.toISOString())).toBe(date.toISOString());
    }),
    { numRuns: 100 },
  );
});

test('a day is its first moment in a time zone, or its last one as an end', () => {
  expect(momentIn('2027-03-31', 'Pacific/Honolulu', 'start')).toBe('2027-03-31T10:00:00.000Z');
  expect(momentIn('2027-03-31', 'Pacific/Honolulu', 'end')).toBe('2027-04-01T09:59:59.999Z');
  // Clocks go forward on this day.
  expect(momentIn('2027-03-28', 'Europe/Berlin', 'end')).toBe('2027-03-28T21:59:59.999Z');
  expect(momentIn('2027-03-31T12:00', 'Pacific/Honolulu', 'end')).toBe('2027-03-31T12:00Z');
});

test.each([
  ['2026-11-27T10:00:00Z', undefined],
  ['2026-11-28T09:59:59Z', undefined],
  ['2026-11-27T09:59:59Z', 'must not be before today (2026-11-27)'],
  ['0001-01-01T00:00:00Z', 'must not be before today'],
  ['2036-11-27T20:00:00Z', undefined],
  ['2036-11-27T20:00:01Z', 'at most 10 years'],
  ['9999-12-31T00:00:00Z', 'at most 10 years'],
])('%s is near enough: %s', (moment, refusal) => {
  const time = { now: new Date('2026-11-27T20:00:00Z'), timeZone: 'Pacific/Honolulu', today: '2026-11-27' };
  const act = () => requireNear(moment, 'start_time', time);
  if (refusal === undefined) act();
  else expect(act).toThrow(refusal);
});
