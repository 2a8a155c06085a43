import { plural, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Answer, get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { type Figure, Figures } from '../../kit/controls/figures.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { type Cycle, type Item, itemName } from './item.ts';
import { cycleSearch } from './search.ts';

const PLAN = '/api/reviews/cycles/{cycle_id}/plan/';

/** Reads how much access a cycle takes away, for people who may read all of it. */
export function useCyclePlan(cycle: Cycle) {
  const { readsAll } = useMe();
  return useQuery({
    ...get(PLAN, { path: { cycle_id: cycle.external_uuid }, query: { limit: 1 } }),
    enabled: readsAll && cycle.status !== 'scheduled',
    placeholderData: keepPreviousData,
  });
}

const columnsFor = (cycle: Cycle): Column<Item>[] => [
  column.text('effect', t`Effect`, (item) => effectWords(cycle, item)),
  column.name('app', t`App`, ({ app }) => app.name),
  column.cell(
    'account',
    t`Account`,
    { csv: ({ account }) => account.email || account.username },
    ({ account }) => (
      <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
        <Email of={account.email || account.username || t`Unnamed account`} />
      </TextLink>
    ),
  ),
  column.cell('person', t`Person`, { csv: ({ user }) => user?.email }, ({ user }) =>
    user === null ? (
      t`Nobody`
    ) : (
      <TextLink to="/people/$userId" params={{ userId: user.external_uuid }}>
        <Name of={user.name || user.email} />
      </TextLink>
    ),
  ),
  column.text('reason', t`Reason`, ({ decision }) => (decision === null ? t`No decision` : t`Revoked`), {
    csv: ({ decision }) => decision ?? 'none',
  }),
  column.moment('when', t`Takes effect`, ({ task }) => task?.execute_after ?? null, {
    none: t`At the end`,
  }),
];

/** "Delete account", "Remove group Owners" */
function effectWords({ revoke_account_by }: Cycle, item: Item): string {
  if (item.kind === 'account')
    return revoke_account_by === 'suspend' ? t`Suspend account` : t`Delete account`;
  const name = itemName(item);
  return item.kind === 'membership' ? t`Remove group ${name}` : t`Remove license ${name}`;
}

/** The access that the revocations of a cycle take away: counts, then the items. */
export function CyclePlan({ cycle }: { cycle: Cycle }) {
  const address = useAddress(cycleSearch);
  const plan = useCyclePlan(cycle);
  if (plan.isError && plan.data === undefined)
    return <Failure error={plan.error} again={() => void plan.refetch()} />;
  return (
    <>
      <Text size="sm" mb="xs">
        {cycle.status === 'completed'
          ? t`Access that is revoked and still exists.`
          : cycle.on_no_response === 'revoke'
            ? t`Access that would be removed if the review closed now, including undecided items.`
            : t`Access that would be removed if the review closed now.`}
      </Text>
      {plan.data !== undefined && (
        <Figures label={t`Effect of the revocations`} of={figuresOf(plan.data.counts)} />
      )}
      <ListTable
        address={address}
        label={t`Revocations`}
        counted={(n) => plural(n, { one: '# revocation', other: '# revocations' })}
        list={list(PLAN, { path: { cycle_id: cycle.external_uuid } })}
        columns={columnsFor(cycle)}
        csv="revocations"
        empty={{ title: t`No access is removed`, text: t`No revoked access still exists.` }}
      />
    </>
  );
}

function figuresOf({ accounts, memberships }: Answer<typeof PLAN>['counts']): Figure[] {
  return [
    [
      accounts.suspended,
      plural(accounts.suspended, { one: 'account suspended', other: 'accounts suspended' }),
    ],
    [accounts.removed, plural(accounts.removed, { one: 'account deleted', other: 'accounts deleted' })],
    [
      memberships.removed,
      plural(memberships.removed, { one: 'group or license removed', other: 'groups and licenses removed' }),
    ],
  ];
}
