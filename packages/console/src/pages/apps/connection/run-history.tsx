import { plural, t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { get, list } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { useAddress } from '../../../kit/browser/address.ts';
import { Section } from '../../../kit/controls/section.tsx';
import * as column from '../../../kit/table/columns.tsx';
import { ListTable } from '../../../kit/table/list-table.tsx';
import type { Column } from '../../../kit/table/table-view.tsx';
import { lasted } from '../../../kit/text/words.ts';
import { PersonName } from '../../../people/person.tsx';
import type { App } from '../app.ts';
import { appSearch } from '../search.ts';
import { type Connector, isUnfinished, type Run } from './connector.ts';
import { countWords } from './run-counts.ts';
import { RunDrawer } from './run-drawer.tsx';
import { RunSpark } from './run-spark.tsx';
import { KINDS, RunStatus } from './run-status.tsx';

const columns: Column<Run>[] = [
  column.code('kind', t`Run`, KINDS),
  column.cell('state', t`State`, { csv: ({ state }) => state }, (run) => (
    <div>
      <RunStatus of={run} />
      {run.error !== null && <div>{run.error}</div>}
    </div>
  )),
  column.cell(
    'requested_by',
    t`Started by`,
    { csv: ({ requested_by }) => requested_by },
    ({ requested_by, kind }) =>
      requested_by === null ? (
        kind === 'tasks' ? (
          t`Pending tasks`
        ) : (
          t`Schedule`
        )
      ) : (
        <PersonName id={requested_by} />
      ),
  ),
  column.moment('queued_at', t`Started`, ({ started_at, queued_at }) => started_at ?? queued_at, {
    csv: ({ started_at }) => started_at,
  }),
  column.text(
    'duration',
    t`Duration`,
    ({ started_at, ended_at }) =>
      started_at === null || ended_at === null ? '' : lasted(started_at, ended_at),
    { csv: ({ ended_at }) => ended_at },
  ),
  column.text('counts', t`Counts`, ({ counts }) => countWords(counts)),
];

/** The runs of an app's connector with the durations of its syncs. Refreshes itself while one runs. */
export function RunHistory({ app, connector }: { app: App; connector: Connector }) {
  const [at, go] = useAddress(appSearch);
  const { manages } = useMe();
  const appId = app.external_uuid;
  const { name } = app;
  const path = { app_id: appId };
  const running = connector.last_run !== null && isUnfinished(connector.last_run);
  const syncs = useQuery({
    ...get('/api/apps/{app_id}/connector/runs/', { path, query: { kind: 'sync', limit: 30 } }),
    refetchInterval: running ? 2000 : 10_000,
  });
  return (
    <Section title={t`Runs`} actions={<RunSpark runs={syncs.data?.results ?? []} />}>
      <ListTable
        address={[at, go]}
        label={t`${name} connector runs, newest first`}
        counted={(n) => plural(n, { one: '# run', other: '# runs' })}
        list={list('/api/apps/{app_id}/connector/runs/', { path })}
        columns={columns}
        href={({ id }) => `/apps/${appId}?tab=connection&run=${id}`}
        pageSize={10}
        every={running ? 1500 : 10_000}
        csv={t`runs of ${name}`}
        empty={{ title: t`No runs yet`, text: t`Test the connection, or start a sync.` }}
      />
      <RunDrawer
        appId={appId}
        runId={at.run}
        readsLog={manages}
        close={() => go({ run: undefined, page: at.page })}
      />
    </Section>
  );
}
