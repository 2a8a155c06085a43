import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppLogo } from '../../apps/app-logo.tsx';
import { AppName } from '../../apps/app-name.tsx';
import { History } from '../../events/event-history.tsx';
import { RestoreLink } from '../../history/restore-link.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import type { App } from './app.ts';
import { HeldRecords, HeldRemoval } from './held-removal.tsx';
import { RevertSync } from './revert-sync.tsx';
import { SessionStatus } from './session-status.tsx';
import { isRunning, type Session, sessionStatus } from './sessions.ts';
import { SyncChanges } from './sync-changes.tsx';
import { SyncLog } from './sync-log.tsx';
import { Reverted, SyncSummary } from './sync-summary.tsx';
import { UnseenReport } from './unseen-report.tsx';

/** A sync: its state, what it changed or would change, its log and its events. */
export function SyncPage() {
  const { appId, syncId } = useParams({ from: '/in/apps/$appId/syncs/$syncId' });
  const { me, readsAll } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));
  const sync = useQuery({
    ...get('/api/apps/{app_id}/syncs/{sync_id}/', { path: { app_id: appId, sync_id: syncId } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isRunning(state.data) ? 1500 : 10_000),
    enabled: readsAll,
  });
  const above = (
    <>
      <TextLink to="/apps">{t`Apps`}</TextLink>
      {' / '}
      <AppName id={appId} />
      {' / '}
      <TextLink to="/apps/$appId" params={{ appId }} search={{ tab: 'syncs' }}>
        {t`All syncs`}
      </TextLink>
    </>
  );
  if (me !== undefined && !readsAll)
    return (
      <>
        <PageHeader title={t`Sync`} above={above} />
        <Empty title={t`Your role does not allow this`}>
          {t`Only owners, administrators and auditors can see syncs.`}
        </Empty>
      </>
    );
  const failed = [app, sync].find(({ isError, data }) => isError && data === undefined);
  if (app.data === undefined || sync.data === undefined) {
    const awaited = failed ?? (app.data === undefined ? app : sync);
    return <UnreadyPage title={t`Sync`} above={above} of={awaited} height={240} />;
  }
  return <Shown app={app.data} session={sync.data} above={above} />;
}

function Shown({ app, session, above }: { app: App; session: Session; above: ReactNode }) {
  const { sync_id, started_at, counts, held } = session;
  const { name } = app;
  const hasChanged = counts !== null && held === undefined && !isRunning(session);
  return (
    <>
      <PageHeader
        title={t`Sync of ${name}`}
        above={above}
        mark={<AppLogo name={name} large />}
        beside={<SessionStatus of={session} />}
        about={
          <Trans>
            Started <Moment at={started_at} />
          </Trans>
        }
        actions={
          hasChanged && (
            <>
              <RestoreLink
                of={{ app: app.external_uuid, sync: sync_id, possible: true }}
                asOf={justBefore(started_at)}
              />
              <RevertSync app={app} session={session} />
            </>
          )
        }
      />
      <Reverted session={session} />
      {held !== undefined && <HeldRemoval app={app} session={session} elsewhere />}
      <SyncSummary session={session} />
      <UnseenReport appId={app.external_uuid} unseen={session.unseen} newest={false} />
      {held !== undefined && <HeldRecords app={app} session={session} />}
      <SyncChanges app={app} syncId={sync_id} />
      <SyncLog app={app} session={session} />
      <SyncEvents app={app} session={session} />
    </>
  );
}

/** Times in addresses have milliseconds, so this is the last one before the sync. */
const justBefore = (started: string) => new Date(Date.parse(started) - 1).toISOString();

/** The events of a sync itself, newest first. */
function SyncEvents({ app, session }: { app: App; session: Session }) {
  const { sync_id, reverted_at = '' } = session;
  return (
    <Section title={t`Events`}>
      <History
        of={{ sync_uuid: sync_id }}
        among={{ subject: app.external_uuid }}
        version={`${sessionStatus(session)} ${reverted_at}`}
        label={t`Events of this sync`}
        none={t`No events yet.`}
      />
    </Section>
  );
}
