import { lasted } from '../../../parts/words.ts';
import classes from './connection.module.css';
import type { Run } from './connector.ts';
import { STATES } from './run-status.tsx';

const WIDTH = 8;
const GAP = 3;
const HEIGHT = 32;

/** The durations of runs as bars, oldest first, in the color of their results. */
export function SparkLine({ runs }: { runs: readonly Run[] }) {
  const ended = runs.flatMap((run) =>
    run.started_at === null || run.ended_at === null
      ? []
      : [
          {
            run,
            ms: Date.parse(run.ended_at) - Date.parse(run.started_at),
            words: lasted(run.started_at, run.ended_at),
          },
        ],
  );
  if (ended.length < 2) return null;
  const oldestFirst = ended.toReversed();
  const longest = Math.max(1, ...ended.map(({ ms }) => ms));
  const failed = ended.filter(({ run }) => run.state !== 'succeeded').length;
  const width = oldestFirst.length * (WIDTH + GAP);
  return (
    <figure className={classes.spark}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`The last ${ended.length} syncs: ${ended.length - failed} succeeded, ${failed} did not. The newest took ${ended[0]?.words}.`}
      >
        {oldestFirst.map(({ run, ms, words }, at) => {
          const height = Math.max(3, (ms / longest) * HEIGHT);
          return (
            <rect
              key={run.id}
              x={at * (WIDTH + GAP)}
              y={HEIGHT - height}
              width={WIDTH}
              height={height}
              rx={1}
              data-bad={run.state !== 'succeeded' || undefined}
            >
              <title>{`${STATES[run.state][1]}, ${words}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>Durations of the last {ended.length} syncs</figcaption>
    </figure>
  );
}
