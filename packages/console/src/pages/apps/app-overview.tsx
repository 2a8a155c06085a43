import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get, type Item } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppStatus } from '../../apps/app-status.tsx';
import { useConnectorState, useHasConnector } from '../../apps/connector-states.ts';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { Copy } from '../../kit/controls/copy.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { serverText } from '../../language/server-text.ts';
import { PersonName } from '../../people/person.tsx';
import type { App } from './app.ts';
import classes from './app-overview.module.css';
import { ConnectGuide } from './connect-guide.tsx';
import { HeldRemoval } from './held-removal.tsx';
import { HeldTasks } from './held-tasks.tsx';
import { SessionStatus } from './session-status.tsx';
import { useNewestSessions } from './sessions.ts';
import { SyncProgress } from './sync-progress.tsx';
import { UnseenReport } from './unseen-report.tsx';

/**
 * An app's details and latest sync. Until the first sync session of an app without a connector on this server, also a guide
 * to connecting it, unless people carry out its tasks.
 */
export function AppOverview({ app }: { app: App }) {
  const { manages, readsAll } = useMe();
  const newest = useNewestSessions(app.external_uuid, readsAll);
  const sessions = newest.data?.results;
  const latest = sessions?.[0];
  const managed = useHasConnector(app.external_uuid, manages);
  const byHand = useIsByHand(app.external_uuid, manages);
  const guided = useGuide(sessions?.length === 0 && managed === false && byHand === false);
  const held = sessions?.find((session) => session.held !== undefined);
  return (
    <>
      {held && <HeldRemoval app={app} session={held} />}
      <HeldTasks app={app} />
      <NobodyCarriesOut appId={app.external_uuid} />
      {manages && guided && <ConnectGuide app={app} arrived={latest !== undefined} />}
      <div className={classes.columns}>
        <Section title={t`Details`}>
          <Facts app={app} />
          {!readsAll && (
            <ButtonLink to="/requests/new" mt="md">
              {t`Request access`}
            </ButtonLink>
          )}
        </Section>
        {latest && (
          <Section title={t`Latest sync`} actions={<SessionStatus of={latest} />}>
            <SyncProgress
              session={latest}
              before={sessions?.slice(1).find(({ status }) => status === 'completed')}
            />
            <p className={classes.when}>
              {latest.finished_at === null ? (
                <Trans>
                  Started <Moment at={latest.started_at} />.
                </Trans>
              ) : (
                <Trans>
                  Started <Moment at={latest.started_at} />, ended <Moment at={latest.finished_at} />.
                </Trans>
              )}{' '}
              {latest.error && serverText({ ...latest.error, text: latest.error.message })}
            </p>
            <TextLink to="/apps/$appId" params={{ appId: app.external_uuid }} search={{ tab: 'syncs' }}>
              {t`All syncs`}
            </TextLink>
          </Section>
        )}
        <UnseenReport appId={app.external_uuid} unseen={app.unseen} newest />
        <ResourceTypes app={app} />
      </div>
    </>
  );
}

/** Whether people carry out the tasks of an app. Undefined while this loads, also again: it may have changed a moment ago. */
function useIsByHand(appId: string, enabled: boolean): boolean | undefined {
  const settings = useQuery({
    ...get('/api/apps/{app_id}/fulfillment/', { path: { app_id: appId } }),
    enabled,
  });
  return settings.isFetching ? undefined : settings.data?.enabled;
}

/** Keeps the guide open once it was shown, because the new API key is visible only there. */
function useGuide(wanted: boolean): boolean {
  const [shown, setShown] = useState(false);
  if (wanted && !shown) setShown(true);
  return shown;
}

function Facts({ app }: { app: App }) {
  const { readsAll } = useMe();
  const connector = useConnectorState(app.external_uuid, readsAll);
  return (
    <Properties
      of={[
        [t`Status`, <AppStatus key="status" of={app} connector={connector} />],
        [t`Last completed sync`, <Moment key="synced" at={app.last_synced_at} />],
        [t`Created`, <Moment key="created" at={app.created_at} />],
        // Members may not read other people.
        [t`Owner`, readsAll ? <PersonName key="owner" id={app.owner} /> : undefined],
        [
          t`App ID`,
          <span key="id" className={classes.id}>
            {app.external_uuid}
            <Copy value={app.external_uuid} what={t`app ID`} />
          </span>,
        ],
      ]}
    />
  );
}

const TYPE_WORDS: Record<Item<'/api/apps/{app_id}/resource-types/'>['type'], string> = {
  account: t`account`,
  group: t`group`,
  license: t`license`,
};

function ResourceTypes({ app }: { app: App }) {
  const types = useQuery(
    get('/api/apps/{app_id}/resource-types/', { path: { app_id: app.external_uuid }, query: { limit: 200 } }),
  );
  return (
    <Section title={t`Resource types`}>
      {types.data?.count === 0 ? (
        <Empty title={t`No resource types yet`}>{t`Run the connector to register its resource types.`}</Empty>
      ) : (
        <Properties
          of={(types.data?.results ?? []).map(
            ({ slug, name, type }) => [name, `${TYPE_WORDS[type]} (${slug})`] as const,
          )}
        />
      )}
    </Section>
  );
}
