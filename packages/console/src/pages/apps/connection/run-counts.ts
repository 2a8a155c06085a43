import { counted, grouped } from '../../../parts/words.ts';

const isCounts = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns what a sync or a task batch reports: "2 created, 1 updated", "3 completed, 1 failed". */
export function countWords(counts: Record<string, unknown> | null): string {
  if (counts === null) return '';
  const inventory = isCounts(counts.counts) ? counts.counts : counts;
  const numbers = Object.entries(inventory).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && entry[1] > 0,
  );
  const words = numbers.map(([name, value]) => `${grouped(value)} ${name.replaceAll('_', ' ')}`);
  return words.length === 0 ? pushedWords(counts.pushed) : words.join(', ');
}

function pushedWords(pushed: unknown): string {
  if (!isCounts(pushed)) return '';
  return `${counted(
    Object.values(pushed).reduce((sum, count) => sum + count, 0),
    'record',
  )} pushed`;
}

/** The sync session of a run. */
export const sessionOf = (counts: Record<string, unknown> | null): string | undefined =>
  typeof counts?.session === 'string' ? counts.session : undefined;
