import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { NamedApp } from '../../apps/app-logo.tsx';
import { AppStatus } from '../../apps/app-status.tsx';
import { type ConnectorState, useConnectorStates } from '../../apps/connector-states.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { ButtonLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconPlus } from '../../kit/icons/icons.ts';
import { DataTable } from '../../kit/table/data-table.tsx';
import { Filters, Search } from '../../kit/table/filters.tsx';
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

const syncs: Column<App> = {
  id: 'syncs',
  header: t`Syncs`,
  cell: ({ external_uuid }) => <AppSpark appId={external_uuid} />,
};

const columnsOf = (connectors: ReadonlyMap<string, ConnectorState>, readsAll: boolean): Column<App>[] => [
  { id: 'name', header: t`Name`, cell: ({ name }) => <NamedApp name={name} />, csv: ({ name }) => name },
  {
    id: 'status',
    header: t`Status`,
    cell: (app) => (
      <div className={classes.states}>
        <AppStatus of={app} connector={connectors.get(app.external_uuid)} />
        <ConnectorTrouble of={connectors.get(app.external_uuid)} />
        <HeldTasks count={app.held_tasks ?? 0} />
      </div>
    ),
    csv: ({ configuration_status }) => configuration_status,
  },
  {
    id: 'last_synced_at',
    header: t`Last sync`,
    cell: ({ last_synced_at }) => <Moment at={last_synced_at} />,
    csv: ({ last_synced_at }) => last_synced_at,
  },
  ...(readsAll ? [syncs] : []),
  {
    id: 'created_at',
    header: t`Created`,
    cell: ({ created_at }) => <Moment at={created_at} />,
    csv: ({ created_at }) => created_at,
  },
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
    <>
      <PageHeader
        title={t`Apps`}
        about={t`The apps whose accounts, groups and licenses Gatehouse governs.`}
        actions={
          <>
            {role !== 'auditor' && (
              <Button variant="default" onClick={() => go({ new: 'request' })}>
                <Trans>Request app</Trans>
              </Button>
            )}
            {manages && (
              <ButtonLink to="/apps/new" leftSection={<IconPlus size={15} aria-hidden />}>
                <Trans>Add app</Trans>
              </ButtonLink>
            )}
          </>
        }
      />
      <Filters some={at.q !== undefined} clear={() => go({ q: undefined })}>
        <Search label={t`Search by name`} value={at.q} set={(q) => go({ q })} />
      </Filters>
      <DataTable
        label={t`Apps`}
        counted={(n) => plural(n, { one: '# app', other: '# apps' })}
        list={list('/api/apps/', { query: { q: at.q } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/apps/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        csv={t`apps`}
        empty={
          at.q === undefined ? (
            <Empty title={t`No apps yet`}>
              {manages
                ? t`Add an app, and its first sync imports its accounts.`
                : t`Request an app, and an administrator can connect it.`}
            </Empty>
          ) : (
            <Empty title={t`No apps match this search`}>
              <Trans>Clear the filters to see all apps.</Trans>
            </Empty>
          )
        }
      />
      <ConnectionRequests create={create} />
      <RequestApp opened={at.new === 'request'} close={close} />
    </>
  );
}

/** The newest syncs of an app, for a cell of a table. */
function AppSpark({ appId }: { appId: string }) {
  const { data } = useQuery(recentSyncs(appId));
  if (data === undefined || data.length === 0) return null;
  return <Spark bars={barsOf(data)} label={recentWords(data)} />;
}
