import { Button, Group } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { api, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { DismissedDuplicates } from './dismissed-duplicates.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { mayChange } from './person.ts';
import { peopleSearch } from './search.ts';
import { pairId, pairName, TWINS } from './twin.tsx';

type Duplicate = Item<'/api/users/duplicates/'>;

const REASONS: Record<Duplicate['reasons'][number], string> = {
  employee_number: 'Same employee number',
  lookalike_email: 'Emails that look alike',
  name: 'Same name',
  local_part: 'Same email before the @',
};

/** "Same name, same employee number" */
const reasonWords = ({ reasons }: Duplicate) => {
  const [first = '', ...others] = reasons.map((reason) => REASONS[reason]);
  return [first, ...others.map((words) => words.charAt(0).toLowerCase() + words.slice(1))].join(', ');
};

/** Pairs of people who may be the same, or those that were dismissed. */
export function Duplicates() {
  const [at, go] = useAddress(peopleSearch);
  const dismissed = at.dismissed === true;
  const show = (next: true | undefined) => go({ dismissed: next });
  return (
    <>
      <Group gap="xs" mb="sm" role="group" aria-label="View">
        <ViewButton pressed={!dismissed} onClick={() => show(undefined)}>
          Possible duplicates
        </ViewButton>
        <ViewButton pressed={dismissed} onClick={() => show(true)}>
          Dismissed
        </ViewButton>
      </Group>
      {dismissed ? <DismissedDuplicates /> : <PossibleDuplicates />}
    </>
  );
}

function PossibleDuplicates() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, role } = useMe();
  const close = () => go({ ask: undefined, into: undefined, from: undefined, page: at.page });
  const { mutate: dismiss, isPending } = useChange(
    (users: string[]) => ok(api.POST('/api/users/duplicates/dismissed/', { body: { users } })),
    { success: (pair) => `${pairName(pair)} marked as different people`, after: () => at.ask && close() },
  );
  const columns = useMemo<Column<Duplicate>[]>(
    () => [
      ...TWINS,
      { id: 'reasons', header: 'Reason', cell: reasonWords, csv: reasonWords },
      { id: 'score', header: 'Score', right: true, cell: ({ score }) => score, csv: ({ score }) => score },
      ...(manages
        ? [
            {
              id: 'merge',
              header: 'Actions',
              cell: (pair: Duplicate) =>
                pair.people.every((person) => mayChange(role, person)) && (
                  <Group gap={6} wrap="nowrap">
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => go({ ...sidesOf(pair), ask: 'merge', page: at.page })}
                    >
                      Compare
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={`Dismiss ${pairName(pair)} as duplicates`}
                      onClick={() => dismiss(pair.people.map(({ external_uuid }) => external_uuid))}
                    >
                      Dismiss
                    </Button>
                  </Group>
                ),
            },
          ]
        : []),
    ],
    [manages, role, go, dismiss, at.page],
  );
  return (
    <>
      <DataTable
        label="Possible duplicates"
        noun="pair"
        list={list('/api/users/duplicates/')}
        columns={columns}
        rowId={pairId}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="duplicates"
        empty={
          <Empty title="No possible duplicates">
            No two people have the same name, employee number or a similar email.
          </Empty>
        }
      />
      {at.ask === 'merge' && at.into !== undefined && at.from !== undefined && (
        <MergeDialog
          into={at.into}
          from={at.from}
          close={close}
          swap={() => go({ into: at.from, from: at.into, page: at.page })}
          different={{ mark: () => dismiss([at.into ?? '', at.from ?? '']), busy: isPending }}
        />
      )}
    </>
  );
}

/** Proposes to keep the active person, or the first. */
function sidesOf({ people }: Duplicate) {
  const into = people.find(({ status }) => status === 'active') ?? people[0];
  const from = people.find((person) => person !== into);
  return { into: into?.external_uuid, from: from?.external_uuid };
}

interface ViewButtonProps {
  pressed: boolean;
  onClick: () => void;
  children: ReactNode;
}

const ViewButton = ({ pressed, onClick, children }: ViewButtonProps) => (
  <Button variant={pressed ? 'light' : 'default'} aria-pressed={pressed} onClick={onClick}>
    {children}
  </Button>
);
