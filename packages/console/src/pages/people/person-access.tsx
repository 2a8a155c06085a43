import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { chosenOf } from '../../access/chosen.ts';
import { type Item, list } from '../../api/client.ts';
import { NamedApp } from '../../apps/app-logo.tsx';
import { AccountsThen } from '../../history/accounts-then.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { View, Views } from '../../kit/controls/views.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { AccessByReason } from './access-by-reason.tsx';
import type { Person } from './person.ts';
import { personSearch } from './search.ts';

type Account = Item<'/api/accounts/'>;

const entitlementNames = (account: Account) =>
  chosenOf(account)
    .map(({ name, id }) => name || id)
    .join(', ');

const columns: Column<Account>[] = [
  {
    id: 'app',
    header: t`App`,
    phone: 'title',
    cell: ({ app }) => <NamedApp name={app.name} />,
    csv: ({ app }) => app.name,
  },
  {
    id: 'account',
    phone: 'detail',
    header: t`Account`,
    cell: ({ username, email }) => <Email of={username || email} />,
    csv: ({ username, email }) => username || email,
  },
  {
    id: 'status',
    phone: 'detail',
    header: t`Status`,
    cell: ({ status }) => <Status of={status} />,
    csv: ({ status }) => status,
  },
  {
    id: 'has',
    header: t`Groups and licenses`,
    cell: (account) => entitlementNames(account) || t`None`,
    csv: entitlementNames,
  },
  {
    id: 'last_seen_at',
    header: t`Last seen`,
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    csv: ({ last_seen_at }) => last_seen_at,
  },
];

/** A person's access in all apps, by reason or by account, or their accounts at an earlier time. */
export function PersonAccess({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  const of = { user: person.external_uuid };
  return (
    <>
      <PastControls of={of} at={at} go={go}>
        {at.as_of === undefined && (
          <Views label={t`Group by`} inline>
            <View pressed={at.by === undefined} onClick={() => go({ by: undefined })}>
              <Trans>By reason</Trans>
            </View>
            <View pressed={at.by === 'account'} onClick={() => go({ by: 'account' })}>
              <Trans>By account</Trans>
            </View>
          </Views>
        )}
      </PastControls>
      {at.as_of !== undefined ? (
        <AccountsThen at={at} go={go} filter={of} columns={columns} label={t`Accounts`} />
      ) : at.by === undefined ? (
        <AccessByReason user={of.user} page={at.page} onPage={(page) => go({ page })} />
      ) : (
        <DataTable
          label={t`Accounts`}
          counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
          list={list('/api/accounts/', { query: of })}
          columns={columns}
          rowId={({ external_uuid }) => external_uuid}
          href={({ external_uuid }) => `/accounts/${external_uuid}`}
          page={at.page}
          onPage={(page) => go({ page })}
          csv="access"
          empty={
            <Empty title={t`No accounts yet`}>
              <Trans>
                Gatehouse links accounts with the same email. You can link other accounts on their pages.
              </Trans>
            </Empty>
          }
        />
      )}
    </>
  );
}
