import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { grouped, lasted } from '../../kit/text/words.ts';
import { serverText } from '../../language/server-text.ts';
import type { App } from './app.ts';
import { HeldRemoval } from './held-removal.tsx';
import { recentSyncs } from './recent-syncs.ts';
import { appSearch } from './search.ts';
import { SessionStatus } from './session-status.tsx';
import { isRunning, pushedBy, type Session, syncAddress, useNewestSessions } from './sessions.ts';
import { DiscardedInTurns, Superseded } from './superseded.tsx';
import { SyncProgress } from './sync-progress.tsx';

const SyncPicture = lazyPart(async () => (await import('./sync-picture.tsx')).SyncPicture, {
  fallback: <Skeleton height={140} mb="md" />,
});

const countCell = (pick: (session: Session) => number | undefined) => (session: Session) => {
  const value = pick(session);
  return value === undefined ? '' : grouped(value);
};

function membershipWords({ membership_counts: counts }: Session): string {
  if (counts === null) return '';
  const added = grouped(counts.added);
  const removed = grouped(counts.removed);
  return t`${added} added, ${removed} removed`;
}

const columns: Column<Session>[] = [
  {
    id: 'started_at',
    header: t`Started`,
    cell: ({ started_at }) => <Moment at={started_at} />,
    csv: ({ started_at }) => started_at,
  },
  {
    id: 'status',
    header: t`Status`,
    cell: (session) => (
      <>
        <SessionStatus of={session} />
        {session.error !== undefined && (
          <div>{serverText({ ...session.error, text: session.error.message })}</div>
        )}
        {session.reverted_at !== undefined && (
          <div>
            <Trans>Reverted</Trans>
          </div>
        )}
        {session.superseded_by !== undefined && (
          <div>
            <Superseded session={session} />
          </div>
        )}
      </>
    ),
    csv: ({ status, rejected_by }) => (rejected_by === undefined ? status : 'rejected'),
  },
  {
    id: 'took',
    header: t`Duration`,
    cell: ({ started_at, finished_at }) => (finished_at === null ? '' : lasted(started_at, finished_at)),
    csv: ({ finished_at }) => finished_at,
  },
  {
    id: 'pushed',
    header: t`Pushed`,
    right: true,
    cell: (session) => grouped(pushedBy(session)),
    csv: pushedBy,
  },
  {
    id: 'created',
    header: t`Created`,
    right: true,
    cell: countCell(({ counts }) => counts?.created),
    csv: ({ counts }) => counts?.created,
  },
  {
    id: 'updated',
    header: t`Updated`,
    right: true,
    cell: countCell(({ counts }) => counts?.updated),
    csv: ({ counts }) => counts?.updated,
  },
  {
    id: 'removed',
    header: t`Removed`,
    right: true,
    cell: countCell(({ counts }) => counts?.removed),
    csv: ({ counts }) => counts?.removed,
  },
  {
    id: 'memberships',
    header: t`Memberships`,
    right: true,
    cell: membershipWords,
    csv: ({ membership_counts: counts }) => (counts === null ? null : counts.added - counts.removed),
  },
];

export function AppSyncs({ app }: { app: App }) {
  const [at, go] = useAddress(appSearch);
  const { name } = app;
  const recent = useQuery(recentSyncs(app.external_uuid));
  const newest = useNewestSessions(app.external_uuid);
  const sessions = newest.data?.results ?? [];
  const held = sessions.find((session) => session.held !== undefined);
  const running = sessions.find(isRunning);
  const before = sessions.find(({ status }) => status === 'completed');
  return (
    <>
      {held && <HeldRemoval app={app} session={held} />}
      <DiscardedInTurns sessions={sessions} />
      {running && (
        <Section title={t`Current sync`} actions={<Status of={running.status} />}>
          <SyncProgress session={running} before={before} />
        </Section>
      )}
      {recent.data !== undefined && recent.data.length > 1 && <SyncPicture app={app} syncs={recent.data} />}
      <DataTable
        label={t`Sync sessions of ${name}, newest first`}
        counted={(n) => plural(n, { one: '# session', other: '# sessions' })}
        list={list('/api/apps/{app_id}/syncs/', { path: { app_id: app.external_uuid } })}
        columns={columns}
        rowId={({ sync_id }) => sync_id}
        href={({ sync_id }) => syncAddress(app.external_uuid, sync_id)}
        page={at.page}
        onPage={(page) => go({ page })}
        every={running === undefined ? 5000 : 1500}
        csv={t`syncs of ${name}`}
        empty={
          <Empty title={t`No syncs yet`}>
            <Trans>Run the command on the Overview tab to start one.</Trans>
          </Empty>
        }
      />
    </>
  );
}
