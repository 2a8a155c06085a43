import { plural, t } from '@lingui/core/macro';
import { chosenOf } from '../../access/chosen.ts';
import { type Item, list } from '../../api/client.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { AccountsThen } from '../../history/accounts-then.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { View, Views } from '../../kit/controls/views.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { AccessByReason } from './access-by-reason.tsx';
import type { Person } from './person.ts';
import { PersonFindings } from './person-findings.tsx';
import { PersonGraph } from './person-graph.tsx';
import { personSearch } from './search.ts';

type Account = Item<'/api/accounts/'>;

const entitlementNames = (account: Account) =>
  chosenOf(account)
    .map(({ name, id }) => name || id)
    .join(', ');

const columns: Column<Account>[] = [
  appColumn('app', t`App`, ({ app }) => app.name, { phone: 'title' }),
  column.email('account', t`Account`, ({ username, email }) => username || email, { phone: 'detail' }),
  column.status('status', t`Status`, { phone: 'detail' }),
  column.cell(
    'has',
    t`Groups and licenses`,
    { csv: entitlementNames },
    (account) => entitlementNames(account) || t`None`,
  ),
  column.moment('last_seen_at', t`Last seen`),
];

/** A person's access in all apps, by reason, by account or as a graph, and what is wrong with it. Or their accounts at an earlier time. */
export function PersonAccess({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  const of = { user: person.external_uuid };
  return (
    <>
      <PastControls of={of} at={at} go={go}>
        {at.as_of === undefined && (
          <Views label={t`View`} inline>
            <View pressed={at.by === undefined} onClick={() => go({ by: undefined })}>
              {t`By reason`}
            </View>
            <View pressed={at.by === 'account'} onClick={() => go({ by: 'account' })}>
              {t`By account`}
            </View>
            <View pressed={at.by === 'graph'} onClick={() => go({ by: 'graph' })}>
              {t`Graph`}
            </View>
          </Views>
        )}
      </PastControls>
      {at.as_of === undefined && <PersonFindings person={person} />}
      {at.as_of !== undefined ? (
        <AccountsThen at={at} go={go} filter={of} columns={columns} label={t`Accounts`} />
      ) : at.by === undefined ? (
        <AccessByReason user={of.user} />
      ) : at.by === 'graph' ? (
        <PersonGraph person={person} />
      ) : (
        <ListTable
          address={[at, go]}
          label={t`Accounts`}
          counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
          list={list('/api/accounts/', { query: of })}
          columns={columns}
          href={({ external_uuid }) => `/accounts/${external_uuid}`}
          csv="access"
          empty={{
            title: t`No accounts yet`,
            text: t`Gatehouse links accounts with the same email. You can link other accounts on their pages.`,
          }}
        />
      )}
    </>
  );
}
