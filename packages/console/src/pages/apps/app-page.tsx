import { Tabs } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { AppStatus } from '../../parts/app-status.tsx';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink, TextLink } from '../../parts/links.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import { counted } from '../../parts/words.ts';
import type { App } from './app.ts';
import { AppAccounts } from './app-accounts.tsx';
import { AppFulfilment } from './app-fulfilment.tsx';
import { AppOverview } from './app-overview.tsx';
import { AppResources } from './app-resources.tsx';
import { AppSettings } from './app-settings.tsx';
import { AppSyncs } from './app-syncs.tsx';
import { AppConnection } from './connection/app-connection.tsx';
import { type AppTab, appSearch } from './search.ts';

const TABS: Record<AppTab, { name: string; everyone: boolean; panel: (props: { app: App }) => ReactNode }> = {
  overview: { name: 'Overview', everyone: true, panel: AppOverview },
  accounts: { name: 'Accounts', everyone: false, panel: AppAccounts },
  groups: { name: 'Groups', everyone: true, panel: ({ app }) => <AppResources app={app} type="group" /> },
  licenses: {
    name: 'Licenses',
    everyone: true,
    panel: ({ app }) => <AppResources app={app} type="license" />,
  },
  syncs: { name: 'Syncs', everyone: false, panel: AppSyncs },
  connection: { name: 'Connection', everyone: false, panel: AppConnection },
  fulfilment: { name: 'Fulfilment', everyone: false, panel: AppFulfilment },
  settings: { name: 'Settings', everyone: false, panel: AppSettings },
};

export function AppPage() {
  const { appId } = useParams({ from: '/in/apps/$appId' });
  const [at, go] = useAddress(appSearch);
  const { readsAll, manages } = useMe();
  const app = useQuery(get('/api/apps/{app_id}/', { path: { app_id: appId } }));

  if (app.isError && app.data === undefined) {
    return (
      <>
        <PageHeader title="App" above={<TextLink to="/apps">Apps</TextLink>} />
        <Failure error={app.error} again={() => void app.refetch()} />
      </>
    );
  }
  const shown = Object.entries(TABS).filter(([, { everyone }]) => everyone || readsAll) as [
    AppTab,
    (typeof TABS)[AppTab],
  ][];
  const wanted = at.tab ?? 'overview';
  const tab = shown.some(([id]) => id === wanted) ? wanted : 'overview';
  const Panel = TABS[tab].panel;
  return (
    <>
      <PageHeader
        title={app.data?.name ?? 'App'}
        above={<TextLink to="/apps">Apps</TextLink>}
        actions={
          manages && (
            <ButtonLink
              to="/apps/$appId/upload"
              params={{ appId }}
              variant="default"
              leftSection={<IconUpload size={15} aria-hidden />}
            >
              Upload a spreadsheet
            </ButtonLink>
          )
        }
        beside={
          app.data && (
            <>
              <AppStatus of={app.data} />
              {(app.data.held_tasks ?? 0) > 0 && (
                <Status of="held" word={`${counted(app.data.held_tasks ?? 0, 'task')} to confirm`} />
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
            sync: undefined,
            run: undefined,
            of: undefined,
          })
        }
      >
        <Tabs.List mb="md">
          {shown.map(([id, { name }]) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>{app.data && <Panel key={appId} app={app.data} />}</Tabs.Panel>
      </Tabs>
    </>
  );
}
