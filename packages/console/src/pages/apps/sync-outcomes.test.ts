import { expect, test } from 'vitest';
import type { RecentSync } from './recent-syncs.ts';
import { barsOf, recentWords } from './sync-outcomes.ts';

const sync = (n: number, more: Partial<RecentSync> = {}): RecentSync => ({
  sync_id: `s${n}`,
  status: 'completed',
  held: false,
  rejected: false,
  records: 5,
  started_at: '2026-03-01T00:00:00Z',
  finished_at: `2026-03-01T00:00:0${n}Z`,
  ...more,
});

test('draws the oldest sync first, as high as it took long, with the look of its outcome', () => {
  const syncs = [
    sync(5, { status: 'in_progress', finished_at: null }),
    sync(4, { status: 'error', rejected: true }),
    sync(3, { status: 'error' }),
    sync(2, { status: 'abandoned' }),
    sync(1),
  ];
  expect(barsOf(syncs).map(({ id, height, look, words }) => [id, height, look, words])).toEqual([
    ['s1', 0.25, 'good', 'Completed, 1.0 s'],
    ['s2', 0.5, 'idle', 'Abandoned, 2.0 s'],
    ['s3', 0.75, 'bad', 'Failed, 3.0 s'],
    ['s4', 1, 'held', 'Rejected, 4.0 s'],
    ['s5', 0, 'busy', 'Running'],
  ]);
});

test('puts the outcomes into words', () => {
  expect(recentWords([])).toBe('No syncs yet');
  expect(recentWords([sync(1)])).toBe('The last sync completed');
  expect(recentWords([sync(1, { status: 'error' })])).toBe('The last sync did not complete');
  expect(recentWords([sync(1), sync(2, { status: 'error' }), sync(3)])).toBe(
    '2 of the last 3 syncs completed',
  );
});
