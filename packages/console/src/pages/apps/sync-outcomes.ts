import { plural, t } from '@lingui/core/macro';
import { lasted } from '../../kit/text/words.ts';
import type { RecentSync } from './recent-syncs.ts';
import type { Bar } from './spark.tsx';

/** The outcomes of syncs, with the look of their bars. */
const OUTCOMES = {
  completed: ['good', t`Completed`],
  failed: ['bad', t`Failed`],
  held: ['held', t`Held`],
  rejected: ['held', t`Rejected`],
  running: ['busy', t`Running`],
  abandoned: ['idle', t`Abandoned`],
} as const;
export type Outcome = keyof typeof OUTCOMES;

export function outcomeOf({ status, held, rejected }: RecentSync): Outcome {
  if (rejected) return 'rejected';
  if (held) return 'held';
  if (status === 'error') return 'failed';
  if (status === 'completed' || status === 'abandoned') return status;
  return 'running';
}

export const outcomeWord = (outcome: Outcome): string => OUTCOMES[outcome][1];
export const outcomeLook = (outcome: Outcome): Bar['look'] => OUTCOMES[outcome][0];

export const durationOf = ({ started_at, finished_at }: RecentSync): number =>
  finished_at === null ? 0 : Date.parse(finished_at) - Date.parse(started_at);

/** Returns syncs as bars as high as they took long, oldest first. */
export function barsOf(syncs: readonly RecentSync[]): Bar[] {
  const longest = Math.max(1, ...syncs.map(durationOf));
  return syncs.toReversed().map((sync) => {
    const outcome = outcomeOf(sync);
    const word = outcomeWord(outcome);
    const duration = sync.finished_at === null ? '' : lasted(sync.started_at, sync.finished_at);
    return {
      id: sync.sync_id,
      height: durationOf(sync) / longest,
      look: outcomeLook(outcome),
      words: duration === '' ? word : t`${word}, ${duration}`,
    };
  });
}

/** "18 of the last 20 syncs completed" */
export function recentWords(syncs: readonly RecentSync[]): string {
  const completed = syncs.filter((sync) => outcomeOf(sync) === 'completed').length;
  const total = syncs.length;
  return plural(total, {
    0: 'No syncs yet',
    one: plural(completed, { 0: 'The last sync did not complete', other: 'The last sync completed' }),
    other: `${completed} of the last # syncs completed`,
  });
}
