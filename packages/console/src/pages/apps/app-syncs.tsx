import { plural, t } from '@lingui/core/macro';
import { Box, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { lazyPart } from '../../kit/controls/lazy-part.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
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
  column.moment('started_at', t`Started`),
  column.cell(
    'status',
    t`Status`,
    { csv: ({ status, rejected_by }) => (rejected_by === undefined ? status : 'rejected') },
    (session) => (
      <>
        <SessionStatus of={session} />
        {session.error !== undefined && (
          <div>{serverText({ ...session.error, text: session.error.message })}</div>
        )}
        {session.reverted_at !== undefined && <div>{t`Reverted`}</div>}
        {session.superseded_by !== undefined && (
          <div>
            <Superseded session={session} />
          </div>
        )}
      </>
    ),
  ),
  column.text(
    'took',
    t`Duration`,
    ({ started_at, finished_at }) => (finished_at === null ? '' : lasted(started_at, finished_at)),
    { csv: ({ finished_at }) => finished_at },
  ),
  column.count('pushed', t`Pushed`, pushedBy),
  column.cell(
    'created',
    t`Created`,
    { right: true, csv: ({ counts }) => counts?.created },
    countCell(({ counts }) => counts?.created),
  ),
  column.cell(
    'updated',
    t`Updated`,
    { right: true, csv: ({ counts }) => counts?.updated },
    countCell(({ counts }) => counts?.updated),
  ),
  column.cell(
    'removed',
    t`Removed`,
    { right: true, csv: ({ counts }) => counts?.removed },
    countCell(({ counts }) => counts?.removed),
  ),
  column.text('memberships', t`Memberships`, membershipWords, {
    right: true,
    csv: ({ membership_counts: counts }) => (counts === null ? null : counts.added - counts.removed),
  }),
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
      {recent.data !== undefined && recent.data.length > 1 && (
        <Box mb="md">
          <SyncPicture app={app} syncs={recent.data} />
        </Box>
      )}
      <ListTable
        address={[at, go]}
        label={t`Sync sessions of ${name}, newest first`}
        counted={(n) => plural(n, { one: '# session', other: '# sessions' })}
        list={list('/api/apps/{app_id}/syncs/', { path: { app_id: app.external_uuid } })}
        columns={columns}
        rowId={({ sync_id }) => sync_id}
        href={({ sync_id }) => syncAddress(app.external_uuid, sync_id)}
        every={running === undefined ? 5000 : 1500}
        csv={t`syncs of ${name}`}
        empty={{ title: t`No syncs yet`, text: t`Run the command on the Overview tab to start one.` }}
      />
    </>
  );
}
