import { expect, test } from 'vitest';
import { beginWords, endWords, isCertainAt, possibleWords, seenAround } from './bounds.ts';

const none = { not_before: null, seen_from: null, seen_until: null, gone_by: null };

test('names one time if a period began exactly then, and two times otherwise', () => {
  const seen_from = '2026-03-02T06:00:00';
  expect(beginWords({ ...none, not_before: seen_from, seen_from })).toBe('Mar 2, 2026, 6:00 AM');
  expect(beginWords({ ...none, not_before: '2026-03-01T06:00:00', seen_from })).toBe(
    'Between Mar 1, 2026, 6:00 AM and Mar 2, 2026, 6:00 AM',
  );
  expect(beginWords({ ...none, seen_from })).toBe('On or before Mar 2, 2026, 6:00 AM');
});

test('shows seconds for two times in the same minute', () => {
  const bounds = { ...none, not_before: '2026-03-02T06:00:01', seen_from: '2026-03-02T06:00:09' };
  expect(beginWords(bounds)).toBe('Between Mar 2, 2026, 6:00:01 AM and Mar 2, 2026, 6:00:09 AM');
});

test('says when an open period was last seen', () => {
  expect(endWords({ ...none, seen_until: '2026-03-02T06:00:00' })).toBe(
    'Not ended, last seen Mar 2, 2026, 6:00 AM',
  );
});

test('says when access was seen before and after a time, by the nearest syncs', () => {
  const year = new Date().getFullYear();
  const bounds = { ...none, seen_from: `${year}-01-05T06:00:00`, seen_until: `${year}-11-29T06:00:00` };
  const sync = (day: string) => ({ sync_id: '', at: `${year}-${day}T06:00:00` });
  const around = (before: string, after: string) => ({
    app: { external_uuid: '', id: '', name: '' },
    known: true,
    sync_before: sync(before),
    sync_after: sync(after),
  });
  expect(seenAround(bounds, around('09-06', '11-10'))).toBe('Seen before and after (Sep 6, Nov 10)');
  expect(seenAround(bounds, around('01-02', '12-03'))).toBe('Seen before and after (Jan 5, Nov 29)');
  expect(seenAround(bounds, undefined)).toBe('Seen before and after (Jan 5, Nov 29)');
  expect(seenAround(bounds, around('09-06', '09-06'))).toBe('Seen before and after (Sep 6)');
});

test('says when access that is only possible at a time was first or last seen', () => {
  const bounds = { ...none, seen_from: '2026-03-02T06:00:00', seen_until: '2026-03-04T06:00:00' };
  const around = (before: string | null) => ({
    app: { external_uuid: '', id: '', name: '' },
    known: before !== null,
    sync_before: before === null ? null : { sync_id: '', at: before },
    sync_after: null,
  });
  expect(possibleWords(bounds, around(null))).toBe('Possible, first seen Mar 2, 2026, 6:00 AM');
  expect(possibleWords(bounds, around('2026-03-01T06:00:00'))).toBe(
    'Possible, first seen Mar 2, 2026, 6:00 AM',
  );
  expect(possibleWords(bounds, around('2026-03-04T06:00:00'))).toBe(
    'Possible, last seen Mar 4, 2026, 6:00 AM',
  );
  expect(possibleWords(bounds, undefined)).toBe('Possible');
});

test('was seen before and after all times from the first to the last sighting', () => {
  const bounds = { ...none, seen_from: '2026-03-01T00:00:00Z', seen_until: '2026-03-03T00:00:00Z' };
  expect(isCertainAt(bounds, '2026-03-01T00:00:00Z')).toBe(true);
  expect(isCertainAt(bounds, '2026-03-03T00:00:00Z')).toBe(true);
  expect(isCertainAt(bounds, '2026-03-03T00:00:00.001Z')).toBe(false);
  expect(isCertainAt(bounds, '2026-03-03T00:00:00.000001Z')).toBe(false);
  expect(isCertainAt(bounds, '2026-02-28T00:00:00Z')).toBe(false);
});
