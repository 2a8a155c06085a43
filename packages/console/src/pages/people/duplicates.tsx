import { Button } from '@mantine/core';
import { useMemo } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { personName } from '../../parts/words.ts';
import { MergeDialog } from './merge-dialog.tsx';
import classes from './people.module.css';
import { mayChange, type Person } from './person.ts';
import { peopleSearch } from './search.ts';

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
const idOf = ({ people }: Duplicate) => people.map(({ external_uuid }) => external_uuid).join();

function side(id: string, header: string, of: 0 | 1): Column<Duplicate> {
  return {
    id,
    header,
    cell: ({ people }) => <PersonCell person={people[of] as Person} />,
    csv: ({ people }) => people[of]?.email,
  };
}

function PersonCell({ person }: { person: Person }) {
  return (
    <span className={classes.twin}>
      <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
        {personName(person)}
      </TextLink>
      <span className={classes.about}>{person.email}</span>
      {person.status === 'deactivated' && <Status of={person.status} />}
    </span>
  );
}

/** Pairs of people who may be the same. */
export function Duplicates() {
  const [at, go] = useAddress(peopleSearch);
  const { manages, role } = useMe();
  const columns = useMemo<Column<Duplicate>[]>(
    () => [
      side('one', 'Person', 0),
      side('other', 'Other person', 1),
      { id: 'reasons', header: 'Reason', cell: reasonWords, csv: reasonWords },
      { id: 'score', header: 'Score', right: true, cell: ({ score }) => score, csv: ({ score }) => score },
      ...(manages
        ? [
            {
              id: 'merge',
              header: 'Action',
              cell: ({ people }: Duplicate) =>
                people.every((person) => mayChange(role, person)) && (
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() =>
                      go({
                        into:
                          people.find(({ status }) => status === 'active')?.external_uuid ??
                          people[0]?.external_uuid,
                        from: (people.find(({ status }) => status !== 'active') ?? people[1])?.external_uuid,
                        ask: 'merge',
                        page: at.page,
                      })
                    }
                  >
                    Compare
                  </Button>
                ),
            },
          ]
        : []),
    ],
    [manages, role, go, at.page],
  );
  const close = () => go({ ask: undefined, into: undefined, from: undefined, page: at.page });
  return (
    <>
      <DataTable
        label="Possible duplicates"
        noun="pair"
        list={list('/api/users/duplicates/')}
        columns={columns}
        rowId={idOf}
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
        />
      )}
    </>
  );
}
