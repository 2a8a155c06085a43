import { plural, t } from '@lingui/core/macro';
import { type Item, list } from '../../api/client.ts';
import { AccountsThen } from '../../history/accounts-then.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { statusWord } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { filtersOf, ListFilters } from '../../kit/table/list-filters.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personColumn } from '../../people/person-columns.tsx';
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
  column.email(
    'email',
    t`Account`,
    ({ email, username, external_id }) => email || username || external_id || '',
    { sort: 'email', csv: ({ email }) => email },
  ),
  column.name('display_name', t`Name`),
  column.text('external_id', t`External ID`),
  column.status('status', t`Status`),
  personColumn('user', t`Person`, ({ person }) => person),
  column.cell('entitlements', t`Access`, accessWords),
  column.moment('last_seen_at', t`Last seen`),
];

const { search, select } = filtersOf(appSearch);
const STATUS = select('status', t`Status`, STATUSES, statusWord);
const FILTERS = [search('q', t`Search by name or email`), STATUS];

/** An app's accounts, now or at an earlier time. */
export function AppAccounts({ app }: { app: App }) {
  const [at, go] = useAddress(appSearch);
  const { name } = app;
  const label = t`Accounts of ${name}`;
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
          filters={<ListFilters at={at} go={go} declared={[STATUS]} />}
        />
      </>
    );
  }
  return (
    <>
      {controls}
      <ListTable
        address={[at, go]}
        filters={FILTERS}
        label={label}
        counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
        list={list('/api/accounts/', {
          query: { app: app.external_uuid, search: at.q, status: at.status, sort: at.sort },
        })}
        columns={columns}
        href={({ external_uuid }) => `/accounts/${external_uuid}`}
        sorts={['email', '-email']}
        csv={t`accounts of ${name}`}
        empty={{ title: t`No accounts yet`, text: t`Run the first sync to import them.` }}
        unmatched={{
          title: t`No accounts match these filters`,
          text: t`Clear the filters to see all accounts.`,
        }}
      />
    </>
  );
}
