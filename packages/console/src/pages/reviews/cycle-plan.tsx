import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Answer, get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { type Figure, Figures } from '../../kit/controls/figures.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { DataTable } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { type Cycle, type Item, itemName } from './item.ts';

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
  {
    id: 'effect',
    header: t`Effect`,
    cell: (item) => effectWords(cycle, item),
    csv: (item) => effectWords(cycle, item),
  },
  {
    id: 'app',
    header: t`App`,
    cell: ({ app }) => <Name of={app.name} />,
    csv: ({ app }) => app.name,
  },
  {
    id: 'account',
    header: t`Account`,
    cell: ({ account }) => (
      <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
        <Email of={account.email || account.username || t`Unnamed account`} />
      </TextLink>
    ),
    csv: ({ account }) => account.email || account.username,
  },
  {
    id: 'person',
    header: t`Person`,
    cell: ({ user }) =>
      user === null ? (
        t`Not linked`
      ) : (
        <TextLink to="/people/$userId" params={{ userId: user.external_uuid }}>
          <Name of={user.name || user.email} />
        </TextLink>
      ),
    csv: ({ user }) => user?.email,
  },
  {
    id: 'reason',
    header: t`Reason`,
    cell: ({ decision }) => (decision === null ? t`No decision` : t`Revoked`),
    csv: ({ decision }) => decision ?? 'none',
  },
  {
    id: 'when',
    header: t`Takes effect`,
    cell: ({ task }) => (task === null ? t`At the end` : <Moment at={task.execute_after} />),
    csv: ({ task }) => task?.execute_after,
  },
];

/** "Delete account", "Remove group Owners" */
function effectWords({ revoke_account_by }: Cycle, item: Item): string {
  if (item.kind === 'account')
    return revoke_account_by === 'suspend' ? t`Suspend account` : t`Delete account`;
  const name = itemName(item);
  return item.kind === 'membership' ? t`Remove group ${name}` : t`Remove license ${name}`;
}

interface Props {
  cycle: Cycle;
  page: number | undefined;
  onPage: (page: number | undefined) => void;
}

/** The access that the revocations of a cycle take away: counts, then the items. */
export function CyclePlan({ cycle, page, onPage }: Props) {
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
      <DataTable
        label={t`Revocations`}
        counted={(n) => plural(n, { one: '# revocation', other: '# revocations' })}
        list={list(PLAN, { path: { cycle_id: cycle.external_uuid } })}
        columns={columnsFor(cycle)}
        rowId={({ id }) => id}
        page={page}
        onPage={onPage}
        csv="revocations"
        empty={
          <Empty title={t`No access is removed`}>
            <Trans>No revoked access still exists.</Trans>
          </Empty>
        }
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
      plural(memberships.removed, {
        one: 'group or license removed',
        other: 'groups and licenses removed',
      }),
    ],
  ];
}
