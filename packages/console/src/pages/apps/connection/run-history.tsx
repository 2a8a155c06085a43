import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { get, list } from '../../../api/client.ts';
import { useMe } from '../../../api/me.ts';
import { useAddress } from '../../../kit/browser/address.ts';
import { Empty } from '../../../kit/controls/empty.tsx';
import { Moment } from '../../../kit/controls/moment.tsx';
import { Section } from '../../../kit/controls/section.tsx';
import { DataTable } from '../../../kit/table/data-table.tsx';
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
  { id: 'kind', header: t`Run`, cell: ({ kind }) => KINDS[kind], csv: ({ kind }) => kind },
  {
    id: 'state',
    header: t`State`,
    cell: (run) => (
      <div>
        <RunStatus of={run} />
        {run.error !== null && <div>{run.error}</div>}
      </div>
    ),
    csv: ({ state }) => state,
  },
  {
    id: 'requested_by',
    header: t`Started by`,
    cell: ({ requested_by, kind }) =>
      requested_by === null ? (
        kind === 'tasks' ? (
          t`Pending tasks`
        ) : (
          t`Schedule`
        )
      ) : (
        <PersonName id={requested_by} />
      ),
    csv: ({ requested_by }) => requested_by,
  },
  {
    id: 'queued_at',
    header: t`Started`,
    cell: ({ started_at, queued_at }) => <Moment at={started_at ?? queued_at} />,
    csv: ({ started_at }) => started_at,
  },
  {
    id: 'duration',
    header: t`Duration`,
    cell: ({ started_at, ended_at }) =>
      started_at === null || ended_at === null ? '' : lasted(started_at, ended_at),
    csv: ({ ended_at }) => ended_at,
  },
  {
    id: 'counts',
    header: t`Counts`,
    cell: ({ counts }) => countWords(counts),
    csv: ({ counts }) => countWords(counts),
  },
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
      <DataTable
        label={t`${name} connector runs, newest first`}
        counted={(n) => plural(n, { one: '# run', other: '# runs' })}
        list={list('/api/apps/{app_id}/connector/runs/', { path })}
        columns={columns}
        rowId={({ id }) => id}
        href={({ id }) => `/apps/${appId}?tab=connection&run=${id}`}
        page={at.page}
        onPage={(page) => go({ page })}
        pageSize={10}
        every={running ? 1500 : 10_000}
        csv={t`runs of ${name}`}
        empty={
          <Empty title={t`No runs yet`}>
            <Trans>Test the connection, or start a sync.</Trans>
          </Empty>
        }
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
