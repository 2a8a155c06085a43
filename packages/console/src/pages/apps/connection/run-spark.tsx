import { t } from '@lingui/core/macro';
import { Axes } from '../../../kit/chart/axes.tsx';
import { lasted, localTime, milliseconds } from '../../../kit/text/words.ts';
import classes from '../spark.module.css';
import { Spark } from '../spark.tsx';
import type { Run } from './connector.ts';
import { STATES } from './run-status.tsx';

const timeOf = (run: { started_at: string } | undefined) =>
  run === undefined ? '' : localTime(new Date(run.started_at));

/** The durations of runs as bars, oldest first, with their results. */
export function RunSpark({ runs }: { runs: readonly Run[] }) {
  const ended = runs.flatMap(({ id, state, started_at, ended_at }) =>
    started_at === null || ended_at === null
      ? []
      : [
          {
            id,
            state,
            started_at,
            ms: Date.parse(ended_at) - Date.parse(started_at),
            took: lasted(started_at, ended_at),
          },
        ],
  );
  const newest = ended[0];
  if (newest === undefined || ended.length < 2) return null;
  const longest = Math.max(1, ...ended.map(({ ms }) => ms));
  const bars = ended.toReversed().map(({ id, state, ms, took }) => {
    const word = STATES[state][1];
    const look = state === 'succeeded' ? ('good' as const) : ('bad' as const);
    return { id, height: ms / longest, look, words: t`${word}, ${took}` };
  });
  const succeeded = ended.filter(({ state }) => state === 'succeeded').length;
  const failed = ended.length - succeeded;
  const { took } = newest;
  const count = ended.length;
  const most = milliseconds(longest);
  const [begin, end] = [timeOf(ended.at(-1)), timeOf(newest)];
  return (
    <figure className={classes.figure}>
      <Axes name={t`Durations of the last ${count} syncs`} most={most} ends={[begin, end]}>
        <Spark
          bars={bars}
          width={8}
          gap={3}
          height={32}
          label={t`The last ${count} syncs: ${succeeded} succeeded, ${failed} did not. The newest took ${took}, the longest ${most}.`}
        />
      </Axes>
    </figure>
  );
}
