import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type Item, list } from '../../api/client.ts';
import { AccountsThen } from '../../history/accounts-then.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status, statusWord } from '../../kit/controls/status.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import { FilterSelect, Filters, Search } from '../../kit/table/filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonLink } from '../../people/person.tsx';
import { STATUSES } from '../accounts/search.ts';
import type { App } from './app.ts';
import { appSearch } from './search.ts';

type Account = Item<'/api/accounts/'>;

const sizeOf = (entitlements: Account['memberships']) => Object.values(entitlements).flat().length;

function accessWords({ memberships, assignments }: Account): string {
  const groups = sizeOf(memberships);
  const licenses = sizeOf(assignments);
  return t`${plural(groups, { one: '# group', other: '# groups' })}, ${plural(licenses, { one: '# license', other: '# licenses' })}`;
}

const columns: Column<Account>[] = [
  {
    id: 'email',
    header: t`Account`,
    sort: 'email',
    cell: ({ email, username, external_id }) => <Email of={email || username || external_id || ''} />,
    csv: ({ email }) => email,
  },
  {
    id: 'display_name',
    header: t`Name`,
    cell: ({ display_name }) => <Name of={display_name} />,
    csv: (row) => row.display_name,
  },
  {
    id: 'external_id',
    header: t`External ID`,
    cell: ({ external_id }) => external_id,
    csv: (row) => row.external_id,
  },
  {
    id: 'status',
    header: t`Status`,
    cell: ({ status }) => <Status of={status} />,
    csv: ({ status }) => status,
  },
  {
    id: 'user',
    header: t`Person`,
    cell: ({ person }) => (person === null ? t`Not linked` : <PersonLink of={person} />),
    csv: ({ person }) => person?.email ?? '',
  },
  {
    id: 'entitlements',
    header: t`Access`,
    cell: accessWords,
  },
  {
    id: 'last_seen_at',
    header: t`Last seen`,
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    csv: ({ last_seen_at }) => last_seen_at,
  },
];

/** An app's accounts, now or at an earlier time. */
export function AppAccounts({ app }: { app: App }) {
  const [at, go] = useAddress(appSearch);
  const { name } = app;
  const label = t`Accounts of ${name}`;
  const status = (
    <FilterSelect
      label={t`Status`}
      options={STATUSES.map((value) => ({ value, label: statusWord(value) }))}
      value={at.status}
      set={(next) => go({ status: next as typeof at.status })}
    />
  );
  const controls = <PastControls of={{ app: app.external_uuid }} at={at} go={go} />;
  if (at.as_of !== undefined) {
    return (
      <>
        {controls}
        <AccountsThen
          at={at}
          go={go}
          filter={{ app: app.external_uuid, status: at.status }}
          columns={columns}
          label={label}
          filters={
            <Filters some={at.status !== undefined} clear={() => go({ status: undefined })}>
              {status}
            </Filters>
          }
        />
      </>
    );
  }
  const filtered = at.q !== undefined || at.status !== undefined;
  return (
    <>
      {controls}
      <Filters some={filtered} clear={() => go({ q: undefined, status: undefined })}>
        <Search label={t`Search by name or email`} value={at.q} set={(q) => go({ q })} />
        {status}
      </Filters>
      <DataTable
        label={label}
        counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
        list={list('/api/accounts/', {
          query: { app: app.external_uuid, search: at.q, status: at.status, sort: at.sort },
        })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/accounts/${external_uuid}`}
        sort={at.sort}
        onSort={(sort) => go({ sort: sort as typeof at.sort })}
        page={at.page}
        onPage={(page) => go({ page })}
        csv={t`accounts of ${name}`}
        empty={
          filtered ? (
            <Empty title={t`No accounts match these filters`}>
              <Trans>Clear the filters to see all accounts.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No accounts yet`}>
              <Trans>Run the first sync to import them.</Trans>
            </Empty>
          )
        }
      />
    </>
  );
}
