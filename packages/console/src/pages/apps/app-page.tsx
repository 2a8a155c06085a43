import { plural, t } from '@lingui/core/macro';
import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { AppLogo } from '../../apps/app-logo.tsx';
import { AppStatus } from '../../apps/app-status.tsx';
import { useConnectorState } from '../../apps/connector-states.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { TabList } from '../../kit/controls/tab-list.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { IconUpload } from '../../kit/icons/icons.ts';
import { Name } from '../../kit/text/name.tsx';
import type { App } from './app.ts';
import { AppAccounts } from './app-accounts.tsx';
import { AppFulfillment } from './app-fulfillment.tsx';
import { AppOverview } from './app-overview.tsx';
import { AppResources } from './app-resources.tsx';
import { AppSettings } from './app-settings.tsx';
import { AppSyncs } from './app-syncs.tsx';
import { AppConnection } from './connection/app-connection.tsx';
import { type AppTab, appSearch } from './search.ts';

const TABS: Record<AppTab, { name: string; everyone: boolean; panel: (props: { app: App }) => ReactNode }> = {
  overview: { name: t`Overview`, everyone: true, panel: AppOverview },
  accounts: { name: t`Accounts`, everyone: false, panel: AppAccounts },
  groups: { name: t`Groups`, everyone: true, panel: ({ app }) => <AppResources app={app} type="group" /> },
  licenses: {
    name: t`Licenses`,
    everyone: true,
    panel: ({ app }) => <AppResources app={app} type="license" />,
  },
  syncs: { name: t`Syncs`, everyone: false, panel: AppSyncs },
  connection: { name: t`Connection`, everyone: false, panel: AppConnection },
  fulfillment: { name: t`Fulfillment`, everyone: false, panel: AppFulfillment },
  settings: { name: t`Settings`, everyone: false, panel: AppSettings },
};

export function AppPage() {
  const { appId } = useParams({ from: '/in/apps/$appId' });
  const [at, go] = useAddress(appSearch);
  const { readsAll, manages } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));
  const connector = useConnectorState(appId, readsAll);

  if (app.isError && app.data === undefined)
    return <UnreadyPage title={t`App`} above={<TextLink to="/apps">{t`Apps`}</TextLink>} of={app} />;
  const shown = Object.entries(TABS).filter(([, { everyone }]) => everyone || readsAll) as [
    AppTab,
    (typeof TABS)[AppTab],
  ][];
  const wanted = at.tab ?? 'overview';
  const tab = shown.some(([id]) => id === wanted) ? wanted : 'overview';
  const Panel = TABS[tab].panel;
  const heldTasks = app.data?.held_tasks ?? 0;
  return (
    <>
      <PageHeader
        title={app.data?.name ?? t`App`}
        isName={app.data !== undefined}
        above={<TextLink to="/apps">{t`Apps`}</TextLink>}
        actions={
          manages && (
            <ButtonLink
              to="/apps/$appId/upload"
              params={{ appId }}
              variant="default"
              leftSection={<IconUpload size={15} aria-hidden />}
            >
              {t`Upload a spreadsheet`}
            </ButtonLink>
          )
        }
        mark={app.data && <AppLogo name={app.data.name} large />}
        beside={
          app.data && (
            <>
              <AppStatus of={app.data} connector={connector} />
              {heldTasks > 0 && (
                <Status
                  of="held"
                  word={plural(heldTasks, { one: '# task to confirm', other: '# tasks to confirm' })}
                />
              )}
            </>
          )
        }
      />
      <Tabs
        value={tab}
        onChange={(next) =>
          go({
            tab: next === 'overview' ? undefined : (next as AppTab),
            q: undefined,
            status: undefined,
            slug: undefined,
            gone: undefined,
            resource: undefined,
            run: undefined,
          })
        }
      >
        <TabList current={tab} mb="md">
          {shown.map(([id, { name }]) => (
            <Tabs.Tab key={id} value={id}>
              <Name of={name} />
            </Tabs.Tab>
          ))}
        </TabList>
        <Tabs.Panel value={tab}>{app.data && <Panel key={appId} app={app.data} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}
