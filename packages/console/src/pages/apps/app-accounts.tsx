import { type Item, list } from '../../api/client.ts';
import { AccountsThen } from '../../parts/accounts-then.tsx';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { FilterSelect, Filters, Search } from '../../parts/filters.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PastControls } from '../../parts/past-controls.tsx';
import { Status, statusWord } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { counted, personName } from '../../parts/words.ts';
import { STATUSES } from '../accounts/search.ts';
import type { App } from './app.ts';
import { appSearch } from './search.ts';

type Account = Item<'/api/accounts/'>;

const sizeOf = (entitlements: Account['memberships']) => Object.values(entitlements).flat().length;

const columns: Column<Account>[] = [
  {
    id: 'email',
    header: 'Account',
    sort: 'email',
    cell: ({ email, username, external_id }) => email || username || external_id,
    csv: ({ email }) => email,
  },
  {
    id: 'display_name',
    header: 'Name',
    cell: ({ display_name }) => display_name,
    csv: (row) => row.display_name,
  },
  {
    id: 'external_id',
    header: 'External ID',
    cell: ({ external_id }) => external_id,
    csv: (row) => row.external_id,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Status of={status} />,
    csv: ({ status }) => status,
  },
  {
    id: 'user',
    header: 'Person',
    cell: ({ person }) =>
      person === null ? (
        'Not linked'
      ) : (
        <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
          {personName(person)}
        </TextLink>
      ),
    csv: ({ person }) => person?.email ?? '',
  },
  {
    id: 'entitlements',
    header: 'Access',
    cell: ({ memberships, assignments }) =>
      `${counted(sizeOf(memberships), 'group')}, ${counted(sizeOf(assignments), 'license')}`,
  },
  {
    id: 'last_seen_at',
    header: 'Last seen',
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    csv: ({ last_seen_at }) => last_seen_at,
  },
];

/** An app's accounts, now or at an earlier time. */
export function AppAccounts({ app }: { app: App }) {
  const [at, go] = useAddress(appSearch);
  const status = (
    <FilterSelect
      label="Status"
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
          label={`Accounts of ${app.name}`}
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
        <Search label="Search by name or email" value={at.q} set={(q) => go({ q })} />
        {status}
      </Filters>
      <DataTable
        label={`Accounts of ${app.name}`}
        noun="account"
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
        csv={`accounts of ${app.name}`}
        empty={
          filtered ? (
            <Empty title="No accounts match these filters">Clear the filters to see all accounts.</Empty>
          ) : (
            <Empty title="No accounts yet">Run the first sync to import them.</Empty>
          )
        }
      />
    </>
  );
}
