import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { api, type Item, list, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { mayChange } from './person.ts';
import { peopleSearch } from './search.ts';
import { pairId, pairName, TWINS } from './twin.tsx';

type Dismissal = Item<'/api/users/duplicates/dismissed/'>;

/** Lists two people as possible duplicates again. */
export const takeBack = ([one = '', other = '']: readonly string[]) =>
  ok(
    api.DELETE('/api/users/duplicates/dismissed/{user_id}/{other_id}/', {
      params: { path: { user_id: one, other_id: other } },
    }),
  );

/** Pairs of people who were marked as different, and who marked them. */
export function DismissedDuplicates() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, role } = useMe();
  const { mutate } = useChange(
    ({ people }: Dismissal) => takeBack(people.map(({ external_uuid }) => external_uuid)),
    { success: t`Dismissal undone` },
  );
  const columns = useMemo<Column<Dismissal>[]>(
    () => [
      ...TWINS,
      column.email('by', t`Dismissed by`, ({ dismissed_by }) => dismissed_by?.email, {
        none: t`A deleted person`,
      }),
      column.moment('at', t`Dismissed`, ({ dismissed_at }) => dismissed_at),
      ...(manages
        ? [
            column.cell(
              'undo',
              t`Action`,
              (pair: Dismissal) =>
                pair.people.every((person) => mayChange(role, person)) && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    aria-label={t`Undo the dismissal of ${{ people: pairName(pair) }}`}
                    onClick={() => mutate(pair)}
                  >
                    {t`Undo`}
                  </Button>
                ),
            ),
          ]
        : []),
    ],
    [manages, role, mutate],
  );
  return (
    <ListTable
      address={[at, go]}
      label={t`Dismissed duplicates`}
      counted={(n) => plural(n, { one: '# pair', other: '# pairs' })}
      list={list('/api/users/duplicates/dismissed/')}
      columns={columns}
      rowId={pairId}
      csv="dismissed-duplicates"
      empty={{ title: t`No dismissed pairs`, text: t`Pairs that you mark as different people appear here.` }}
    />
  );
}
