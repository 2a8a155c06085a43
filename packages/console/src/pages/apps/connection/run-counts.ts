import { plural } from '@lingui/core/macro';
import { grouped } from '../../../kit/text/words.ts';

const isCounts = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const KNOWN: Record<string, (count: number) => string> = {
  created: (n) => plural(n, { one: '# created', other: '# created' }),
  updated: (n) => plural(n, { one: '# updated', other: '# updated' }),
  removed: (n) => plural(n, { one: '# removed', other: '# removed' }),
  completed: (n) => plural(n, { one: '# completed', other: '# completed' }),
  failed: (n) => plural(n, { one: '# failed', other: '# failed' }),
  skipped: (n) => plural(n, { one: '# skipped', other: '# skipped' }),
};

/** A connector may report counts that only it knows. */
const wordsOf = (name: string, count: number) =>
  KNOWN[name]?.(count) ?? `${grouped(count)} ${name.replaceAll('_', ' ')}`;

/** Returns what a sync or a task batch reports: "2 created, 1 updated", "3 completed, 1 failed". */
export function countWords(counts: Record<string, unknown> | null): string {
  if (counts === null) return '';
  const inventory = isCounts(counts.counts) ? counts.counts : counts;
  const numbers = Object.entries(inventory).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
  );
  const words = numbers.map(([name, value]) => wordsOf(name, value));
  return words.length === 0 ? pushedWords(counts.pushed) : words.join(', ');
}

function pushedWords(pushed: unknown): string {
  if (!isCounts(pushed)) return '';
  const all = Object.values(pushed).reduce((sum, count) => sum + count, 0);
  return plural(all, { one: '# record pushed', other: '# records pushed' });
}

/** The sync session of a run. */
export const sessionOf = (counts: Record<string, unknown> | null): string | undefined =>
  typeof counts?.session === 'string' ? counts.session : undefined;
