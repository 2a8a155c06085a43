import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { AppStatus } from '../../apps/app-status.tsx';
import { type ConnectorState, useConnectorStates } from '../../apps/connector-states.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { filtersOf } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import classes from './apps.module.css';
import { ConnectorStatus, isFailing } from './connection/connector-status.tsx';
import { ConnectionRequests } from './connection-requests.tsx';
import { recentSyncs } from './recent-syncs.ts';
import { RequestApp } from './request-app.tsx';
import { appsSearch } from './search.ts';
import { Spark } from './spark.tsx';
import { barsOf, recentWords } from './sync-outcomes.ts';

type App = Item<'/api/apps/'>;

const syncs: Column<App> = column.cell('syncs', t`Syncs`, ({ external_uuid }) => (
  <AppSpark appId={external_uuid} />
));

const columnsOf = (connectors: ReadonlyMap<string, ConnectorState>, readsAll: boolean): Column<App>[] => [
  appColumn('name', t`Name`),
  column.cell('status', t`Status`, { csv: ({ configuration_status }) => configuration_status }, (app) => (
    <div className={classes.states}>
      <AppStatus of={app} connector={connectors.get(app.external_uuid)} />
      <ConnectorTrouble of={connectors.get(app.external_uuid)} />
      <HeldTasks count={app.held_tasks ?? 0} />
    </div>
  )),
  column.moment('last_synced_at', t`Last sync`),
  ...(readsAll ? [syncs] : []),
  column.moment('created_at', t`Created`),
];

const HeldTasks = ({ count }: { count: number }) =>
  count > 0 && (
    <Status of="held" word={plural(count, { one: '# task to confirm', other: '# tasks to confirm' })} />
  );

/** A state of the app's connector that needs attention. */
function ConnectorTrouble({ of: connector }: { of: ConnectorState | undefined }) {
  // The status of the app says that its syncs are overdue.
  if (connector === undefined || connector.paused || connector.overdue) return null;
  if (!isFailing(connector.last_sync_state)) return null;
  return <ConnectorStatus of={connector} last={connector.last_sync_state} />;
}

const FILTERS = [filtersOf(appsSearch).search('q', t`Search by name`)];

export function AppsPage() {
  const [at, go] = useAddress(appsSearch);
  const { manages, readsAll, role } = useMe();
  const connectors = useConnectorStates(readsAll);
  const columns = useMemo(() => columnsOf(connectors, readsAll), [connectors, readsAll]);
  const navigate = useNavigate();
  const create = useCallback(
    (name: string) => void navigate({ to: '/apps/new', search: { name } }),
    [navigate],
  );
  const close = () => go({ new: undefined });
  return (
    <ListPage
      title={t`Apps`}
      about={t`The apps whose accounts, groups and licenses Gatehouse governs.`}
      buttons={
        <>
          {role !== 'auditor' && (
            <Button variant="default" onClick={() => go({ new: 'request' })}>
              {t`Request app`}
            </Button>
          )}
          {manages && (
            <ButtonLink to="/apps/new" leftSection={<IconPlus size={15} aria-hidden />}>
              {t`Add app`}
            </ButtonLink>
          )}
        </>
      }
      address={[at, go]}
      filters={FILTERS}
      counted={(n) => plural(n, { one: '# app', other: '# apps' })}
      list={list('/api/apps/', { query: { q: at.q } })}
      columns={columns}
      href={({ external_uuid }) => `/apps/${external_uuid}`}
      csv={t`apps`}
      empty={{
        title: t`No apps yet`,
        text: manages
          ? t`Add an app, and its first sync imports its accounts.`
          : t`Request an app, and an administrator can connect it.`,
      }}
      unmatched={{ title: t`No apps match this search`, text: t`Clear the filters to see all apps.` }}
    >
      <ConnectionRequests create={create} />
      <RequestApp opened={at.new === 'request'} close={close} />
    </ListPage>
  );
}

/** The newest syncs of an app, for a cell of a table. */
function AppSpark({ appId }: { appId: string }) {
  const { data } = useQuery(recentSyncs(appId));
  if (data === undefined || data.length === 0) return null;
  return <Spark bars={barsOf(data)} label={recentWords(data)} />;
}
