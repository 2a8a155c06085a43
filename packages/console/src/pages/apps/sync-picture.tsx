import { t } from '@lingui/core/macro';
import { Axes } from '../../kit/chart/axes.tsx';
import { Picture } from '../../kit/chart/picture.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, lasted, localTime, milliseconds } from '../../kit/text/words.ts';
import type { App } from './app.ts';
import type { RecentSync } from './recent-syncs.ts';
import classes from './spark.module.css';
import { Spark } from './spark.tsx';
import {
  barsOf,
  durationOf,
  type Outcome,
  outcomeLook,
  outcomeOf,
  outcomeWord,
  recentWords,
} from './sync-outcomes.ts';

const columns: Column<RecentSync>[] = [
  column.moment('started_at', t`Started`),
  column.text('outcome', t`Outcome`, (sync) => outcomeWord(outcomeOf(sync)), { csv: outcomeOf }),
  column.text(
    'duration_seconds',
    t`Duration`,
    ({ started_at, finished_at }) => (finished_at === null ? '' : lasted(started_at, finished_at)),
    {
      csv: ({ started_at, finished_at }) =>
        finished_at === null ? null : (Date.parse(finished_at) - Date.parse(started_at)) / 1000,
    },
  ),
  column.text('records', t`Records`, ({ records }) => (records === null ? '' : grouped(records)), {
    right: true,
    csv: ({ records }) => records,
  }),
];

/** The durations and outcomes of the newest syncs of an app. */
export function SyncPicture({ app, syncs }: { app: App; syncs: readonly RecentSync[] }) {
  const { name } = app;
  const longest = milliseconds(Math.max(0, ...syncs.map(durationOf)));
  const outcomes = [...new Set(syncs.map(outcomeOf))];
  const words = recentWords(syncs);
  return (
    <Picture
      label={t`Newest syncs of ${name}`}
      summary={t`${words}. The longest took ${longest}.`}
      columns={columns}
      rows={syncs}
      rowId={({ sync_id }) => sync_id}
      file={t`newest syncs of ${name}`}
    >
      <Axes name={t`Duration`} most={longest} ends={endsOf(syncs)}>
        <Spark bars={barsOf(syncs)} width={18} gap={8} height={72} />
      </Axes>
      <ul className={classes.legend}>
        {outcomes.map((outcome) => (
          <LegendItem key={outcome} outcome={outcome} />
        ))}
      </ul>
    </Picture>
  );
}

function endsOf(syncs: readonly RecentSync[]): [from: string, to: string] {
  const at = (sync: RecentSync | undefined) => (sync ? localTime(new Date(sync.started_at)) : '');
  return [at(syncs.at(-1)), syncs.length > 1 ? at(syncs[0]) : ''];
}

function LegendItem({ outcome }: { outcome: Outcome }) {
  const word = outcomeWord(outcome);
  return (
    <li>
      <Spark
        bars={[{ id: outcome, height: 1, look: outcomeLook(outcome), words: word }]}
        width={10}
        gap={0}
        height={12}
      />
      {word}
    </li>
  );
}
