import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { NamedApp } from '../../parts/app-logo.tsx';
import { AppStatus } from '../../parts/app-status.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Filters, Search } from '../../parts/filters.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { AppSpark } from './app-spark.tsx';
import classes from './apps.module.css';
import { ConnectorStatus, isFailing } from './connection/connector-status.tsx';
import { type ConnectorState, useConnectorStates } from './connection/connectors.ts';
import { ConnectionRequests } from './connection-requests.tsx';
import { RequestApp } from './request-app.tsx';
import { appsSearch } from './search.ts';

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
        <AppStatus of={app} />
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
  if (connector === undefined || connector.paused) return null;
  if (!connector.overdue && !isFailing(connector.last_sync_state)) return null;
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
