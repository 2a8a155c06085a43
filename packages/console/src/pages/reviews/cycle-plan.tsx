import { Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Answer, get, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { type Figure, Figures } from '../../parts/figures.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { type Cycle, type Item, itemName, kindWord } from './item.ts';

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
    header: 'Effect',
    cell: (item) => effectWords(cycle, item),
    csv: (item) => effectWords(cycle, item),
  },
  {
    id: 'app',
    header: 'App',
    cell: ({ app }) => app.name,
    csv: ({ app }) => app.name,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ account }) => (
      <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
        {account.email || account.username || 'Unnamed account'}
      </TextLink>
    ),
    csv: ({ account }) => account.email || account.username,
  },
  {
    id: 'person',
    header: 'Person',
    cell: ({ user }) =>
      user === null ? (
        'Not linked'
      ) : (
        <TextLink to="/people/$userId" params={{ userId: user.external_uuid }}>
          {user.name || user.email}
        </TextLink>
      ),
    csv: ({ user }) => user?.email,
  },
  {
    id: 'reason',
    header: 'Reason',
    cell: ({ decision }) => (decision === null ? 'No decision' : 'Revoked'),
    csv: ({ decision }) => decision ?? 'none',
  },
  {
    id: 'when',
    header: 'Takes effect',
    cell: ({ task }) => (task === null ? 'At the end' : <Moment at={task.execute_after} />),
    csv: ({ task }) => task?.execute_after,
  },
];

/** "Delete account", "Remove group Owners" */
function effectWords({ revoke_account_by }: Cycle, item: Item): string {
  if (item.kind === 'account') return revoke_account_by === 'suspend' ? 'Suspend account' : 'Delete account';
  return `Remove ${kindWord(item.kind).toLowerCase()} ${itemName(item)}`;
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
          ? 'Access that is revoked and still exists.'
          : cycle.on_no_response === 'revoke'
            ? 'Access that would be removed if the review closed now, including undecided items.'
            : 'Access that would be removed if the review closed now.'}
      </Text>
      {plan.data !== undefined && (
        <Figures label="Effect of the revocations" of={figuresOf(plan.data.counts)} />
      )}
      <DataTable
        label="Revocations"
        noun="revocation"
        list={list(PLAN, { path: { cycle_id: cycle.external_uuid } })}
        columns={columnsFor(cycle)}
        rowId={({ id }) => id}
        page={page}
        onPage={onPage}
        csv="revocations"
        empty={<Empty title="No access is removed">No revoked access still exists.</Empty>}
      />
    </>
  );
}

function figuresOf({ accounts, memberships }: Answer<typeof PLAN>['counts']): Figure[] {
  return [
    [accounts.suspended, 'account suspended', 'accounts suspended'],
    [accounts.removed, 'account deleted', 'accounts deleted'],
    [memberships.removed, 'group or license removed', 'groups and licenses removed'],
  ];
}
