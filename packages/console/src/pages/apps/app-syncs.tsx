import { list } from '../../api/client.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { grouped, lasted } from '../../parts/words.ts';
import type { App } from './app.ts';
import { HeldRemoval } from './held-removal.tsx';
import { appSearch } from './search.ts';
import { SessionStatus } from './session-status.tsx';
import { isRunning, type Session, useNewestSessions } from './sessions.ts';
import { SyncChanges } from './sync-changes.tsx';
import { SyncProgress } from './sync-progress.tsx';
import { SyncSummary } from './sync-summary.tsx';

const countCell = (pick: (session: Session) => number | undefined) => (session: Session) => {
  const value = pick(session);
  return value === undefined ? '' : grouped(value);
};

const columns: Column<Session>[] = [
  {
    id: 'started_at',
    header: 'Started',
    cell: ({ started_at }) => <Moment at={started_at} />,
    csv: ({ started_at }) => started_at,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (session) => (
      <>
        <SessionStatus of={session} />
        {session.error !== undefined && <div>{session.error.message}</div>}
        {session.reverted_at !== undefined && <div>Reverted</div>}
        {session.superseded_by !== undefined && <div>Replaced by a newer session.</div>}
      </>
    ),
    csv: ({ status, rejected_by }) => (rejected_by === undefined ? status : 'removal rejected'),
  },
  {
    id: 'took',
    header: 'Duration',
    cell: ({ started_at, finished_at }) => (finished_at === null ? '' : lasted(started_at, finished_at)),
    csv: ({ finished_at }) => finished_at,
  },
  {
    id: 'pushed',
    header: 'Pushed',
    right: true,
    cell: ({ progress }) => grouped(progress.reduce((sum, { synced_count }) => sum + synced_count, 0)),
    csv: ({ progress }) => progress.reduce((sum, { synced_count }) => sum + synced_count, 0),
  },
  {
    id: 'created',
    header: 'Created',
    right: true,
    cell: countCell(({ counts }) => counts?.created),
    csv: ({ counts }) => counts?.created,
  },
  {
    id: 'updated',
    header: 'Updated',
    right: true,
    cell: countCell(({ counts }) => counts?.updated),
    csv: ({ counts }) => counts?.updated,
  },
  {
    id: 'removed',
    header: 'Removed',
    right: true,
    cell: countCell(({ counts }) => counts?.removed),
    csv: ({ counts }) => counts?.removed,
  },
  {
    id: 'memberships',
    header: 'Memberships',
    right: true,
    cell: ({ membership_counts: counts }) =>
      counts === null ? '' : `${grouped(counts.added)} added, ${grouped(counts.removed)} removed`,
    csv: ({ membership_counts: counts }) => (counts === null ? null : counts.added - counts.removed),
  },
];

export function AppSyncs({ app }: { app: App }) {
  const [at, go] = useAddress(appSearch);
  const newest = useNewestSessions(app.external_uuid);
  const sessions = newest.data?.results ?? [];
  const held = sessions.find((session) => session.held !== undefined);
  const running = sessions.find(isRunning);
  const before = sessions.find(({ status }) => status === 'completed');
  if (at.sync !== undefined)
    return (
      <>
        {held?.sync_id === at.sync && <HeldRemoval app={app} session={held} />}
        <SyncSummary app={app} syncId={at.sync} />
        <SyncChanges app={app} syncId={at.sync} />
      </>
    );
  return (
    <>
      {held && <HeldRemoval app={app} session={held} />}
      {running && (
        <Section title="Current sync" actions={<Status of={running.status} />}>
          <SyncProgress session={running} before={before} />
        </Section>
      )}
      <DataTable
        label={`Sync sessions of ${app.name}, newest first`}
        noun="session"
        list={list('/api/apps/{app_id}/syncs/', { path: { app_id: app.external_uuid } })}
        columns={columns}
        rowId={({ sync_id }) => sync_id}
        href={({ sync_id }) => `/apps/${app.external_uuid}?tab=syncs&sync=${sync_id}`}
        page={at.page}
        onPage={(page) => go({ page })}
        every={running === undefined ? 5000 : 1500}
        csv={`syncs of ${app.name}`}
        empty={<Empty title="No syncs yet">Run the command on the Overview tab to start one.</Empty>}
      />
    </>
  );
}
