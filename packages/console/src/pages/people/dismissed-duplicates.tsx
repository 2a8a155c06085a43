import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { api, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Moment } from '../../parts/moment.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { mayChange } from './person.ts';
import { peopleSearch } from './search.ts';
import { pairId, pairName, TWINS } from './twin.tsx';

type Dismissal = Item<'/api/users/duplicates/dismissed/'>;

/** Pairs of people who were marked as different, and who marked them. */
export function DismissedDuplicates() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, role } = useMe();
  const { mutate } = useChange(
    ({ people }: Dismissal) => {
      const [one, other] = people.map(({ external_uuid }) => external_uuid);
      const path = { user_id: one ?? '', other_id: other ?? '' };
      return ok(api.DELETE('/api/users/duplicates/dismissed/{user_id}/{other_id}/', { params: { path } }));
    },
    { success: 'Dismissal undone' },
  );
  const columns = useMemo<Column<Dismissal>[]>(
    () => [
      ...TWINS,
      {
        id: 'by',
        header: 'Dismissed by',
        cell: ({ dismissed_by }) => dismissed_by?.email ?? 'A deleted person',
        csv: ({ dismissed_by }) => dismissed_by?.email,
      },
      {
        id: 'at',
        header: 'Dismissed',
        cell: ({ dismissed_at }) => <Moment at={dismissed_at} />,
        csv: ({ dismissed_at }) => dismissed_at,
      },
      ...(manages
        ? [
            {
              id: 'undo',
              header: 'Action',
              cell: (pair: Dismissal) =>
                pair.people.every((person) => mayChange(role, person)) && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={`Undo the dismissal of ${pairName(pair)}`}
                    onClick={() => mutate(pair)}
                  >
                    Undo
                  </Button>
                ),
            },
          ]
        : []),
    ],
    [manages, role, mutate],
  );
  return (
    <DataTable
      label="Dismissed duplicates"
      noun="pair"
      list={list('/api/users/duplicates/dismissed/')}
      columns={columns}
      rowId={pairId}
      page={at.page}
      onPage={(page) => go({ page })}
      csv="dismissed-duplicates"
      empty={<Empty title="No dismissed pairs">Pairs that you mark as different people appear here.</Empty>}
    />
  );
}
