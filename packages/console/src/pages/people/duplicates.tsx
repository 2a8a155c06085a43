import { plural, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { useMemo } from 'react';
import { api, type Item, list, ok } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { useUndoable } from '../../kit/controls/undoable.ts';
import { View, Views } from '../../kit/controls/views.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { DismissedDuplicates, takeBack } from './dismissed-duplicates.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { mayChange } from './person.ts';
import { peopleSearch } from './search.ts';
import { pairId, pairName, TWINS } from './twin.tsx';

type Duplicate = Item<'/api/users/duplicates/'>;

const REASONS: Record<Duplicate['reasons'][number], string> = {
  employee_number: t`Same employee number`,
  lookalike_email: t`Emails that look alike`,
  name: t`Same name`,
  local_part: t`Same email before the @`,
  succession: t`Same email, one after the other`,
};

/** "Same name · Same employee number" */
const reasonWords = ({ reasons }: Duplicate) => reasons.map((reason) => REASONS[reason]).join(' · ');

/** Pairs of people who may be the same, or those that were dismissed. */
export function Duplicates() {
  const [at, go] = useAddress(peopleSearch);
  const dismissed = at.dismissed === true;
  const show = (next: true | undefined) => go({ dismissed: next });
  return (
    <>
      <Views label={t`View`}>
        <View pressed={!dismissed} onClick={() => show(undefined)}>
          {t`Possible duplicates`}
        </View>
        <View pressed={dismissed} onClick={() => show(true)}>
          {t`Dismissed`}
        </View>
      </Views>
      {dismissed ? <DismissedDuplicates /> : <PossibleDuplicates />}
    </>
  );
}

function PossibleDuplicates() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, role } = useMe();
  const close = () => go({ ask: undefined, into: undefined, from: undefined, page: at.page });
  const { mutate: dismiss, isPending } = useUndoable(
    (users: string[]) => ok(api.POST('/api/users/duplicates/dismissed/', { body: { users } })),
    {
      done: (pair) => t`${{ people: pairName(pair) }} marked as different people`,
      undo: takeBack,
      after: () => at.ask && close(),
    },
  );
  const columns = useMemo<Column<Duplicate>[]>(
    () => [
      ...TWINS,
      column.text('reasons', t`Reason`, reasonWords),
      column.text('score', t`Score`, { right: true }),
      ...(manages
        ? [
            column.cell(
              'merge',
              t`Actions`,
              (pair: Duplicate) =>
                pair.people.every((person) => mayChange(role, person)) && (
                  <Group gap={6} wrap="nowrap">
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => go({ ...sidesOf(pair), ask: 'merge', page: at.page })}
                    >
                      {t`Compare`}
                    </Button>
                    <Button
                      size="compact-xs"
                      variant="default"
                      aria-label={t`Dismiss ${{ people: pairName(pair) }} as duplicates`}
                      onClick={() => dismiss(pair.people.map(({ external_uuid }) => external_uuid))}
                    >
                      {t`Dismiss`}
                    </Button>
                  </Group>
                ),
            ),
          ]
        : []),
    ],
    [manages, role, go, dismiss, at.page],
  );
  return (
    <>
      <ListTable
        address={[at, go]}
        label={t`Possible duplicates`}
        counted={(n) => plural(n, { one: '# pair', other: '# pairs' })}
        list={list('/api/users/duplicates/')}
        columns={columns}
        rowId={pairId}
        csv="duplicates"
        empty={{
          title: t`No possible duplicates`,
          text: t`No two people have the same name, employee number or a similar email.`,
        }}
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
