import { expect, test } from 'vitest';
import { countWords, sessionOf } from './run-counts.ts';

test('puts the counts of syncs and task batches into words', () => {
  const sync = { session: 's1', pushed: { user: 3 }, counts: { created: 1200, updated: 0, removed: 1 } };
  expect(countWords(sync)).toBe('1,200 created, 1 removed');
  expect(sessionOf(sync)).toBe('s1');
  expect(countWords({ pushed: { user: 2, role: 1 } })).toBe('3 records pushed');
  expect(countWords({ completed: 3, failed: 1 })).toBe('3 completed, 1 failed');
  expect(countWords(null)).toBe('');
  expect(sessionOf(null)).toBeUndefined();
});
