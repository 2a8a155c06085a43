import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { Certainty } from '../../history/certainty.tsx';
import { accountLabel } from '../../history/periods.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { Name } from '../../kit/text/name.tsx';
import { grouped, localTime } from '../../kit/text/words.ts';
import { ExcludedPeople } from '../../people/excluded.tsx';
import { PersonName } from '../../people/person.tsx';
import { actionWord } from '../tasks/task.ts';
import { type Plan, type PlannedTask, planWords, type Skipped, taskCount } from './plan.ts';
import classes from './restore.module.css';
import type { RestoreSearch } from './search.ts';

type Row = PlannedTask | Skipped;

const account: Column<Row> = {
  id: 'account',
  header: t`Account`,
  cell: ({ account: { id, ...named } }) => (
    <TextLink to="/accounts/$accountId" params={{ accountId: id }}>
      <Name of={accountLabel({ id, ...named })} />
    </TextLink>
  ),
};
const person: Column<Row> = {
  id: 'person',
  header: t`Person`,
  cell: ({ user }) => <PersonName id={user} none={t`Not linked`} />,
};
const app: Column<Row> = { id: 'app', header: t`App`, cell: (row) => <Name of={row.app.name} /> };

const taskColumns: Column<PlannedTask>[] = [
  account,
  person,
  app,
  {
    id: 'task',
    header: t`Task`,
    cell: ({ action }) => (action === 'update_account' ? t`Give access` : actionWord(action)),
  },
  { id: 'resources', header: t`Groups and licenses`, cell: (task) => <Resources of={task} /> },
  { id: 'certainty', header: t`Certainty`, cell: (task) => certaintyOf(task) },
];
const skippedColumns: Column<Skipped>[] = [
  account,
  person,
  app,
  { id: 'reason', header: t`Reason`, cell: ({ reason }) => reason },
];

const namesOf = (row: object) =>
  'resources' in row ? (row as PlannedTask).resources.map(({ name, id }) => name || id) : [];

function Resources({ of: { included, resources } }: { of: PlannedTask }) {
  if (resources.length === 0) return t`None`;
  return resources.map((one, index) => (
    <span key={one.entitlement_id} className={one.included ? undefined : classes.out}>
      {index > 0 && ', '}
      {included && !one.included ? leftOutName(one.name || one.id) : <Name of={one.name || one.id} />}
    </span>
  ));
}

const leftOutName = (name: string) => t`${name} (left out)`;

function certaintyOf({ included, action, certainty, resources }: PlannedTask): ReactNode {
  if (!included)
    return (
      <span className={classes.out}>
        <Trans>Possible, left out</Trans>
      </span>
    );
  const all = resources.filter((one) => one.included).map((one) => one.certainty);
  if (action !== 'update_account') all.push(certainty);
  return <Certainty of={all.includes('possible') ? 'possible' : 'certain'} />;
}

interface Props {
  plan: Plan;
  scope: RestoreSearch;
}

/** The plan of a restore: counts, tasks, and the accounts that get nothing back. */
export function RestorePlan({ plan, scope }: Props) {
  const { counts, coverage, results, skipped, as_of } = plan;
  const some = taskCount(plan) > 0;
  const time = localTime(new Date(as_of));
  const unknown = coverage.filter(({ known }) => !known);
  // The page says whose access it is.
  const isShown = ({ id }: { id: string }) =>
    !(id === 'app' && scope.app !== undefined) && !(id === 'person' && scope.user !== undefined);
  return (
    <>
      <Text mb="sm" role="status">
        {[
          ...(some ? [planWords(plan), harmlessWords()] : [t`Nothing to restore as of ${time}.`]),
          ...(counts.left_out > 0 ? [leftOutWords(counts.left_out)] : []),
          ...(unknown.length > 0 ? [unknownWords(unknown.map((one) => one.app.name))] : []),
        ].join(' ')}
      </Text>
      <ExcludedPeople of={plan.excluded} />
      {results.length === 0 ? (
        !some &&
        skipped.length === 0 && (
          <Empty title={t`Nothing to restore`}>
            <Trans>
              Accounts, groups and licenses of that time still exist, or open tasks bring them back.
            </Trans>
          </Empty>
        )
      ) : (
        <LongTable
          label={t`Tasks`}
          columns={taskColumns.filter(isShown)}
          rows={results}
          rowId={({ account: { id }, action }) => `${id} ${action}`}
        />
      )}
      {skipped.length > 0 && (
        <>
          <Text mt="md" mb="sm">
            {plural(counts.skipped, {
              one: '# record cannot come back.',
              other: '# records cannot come back.',
            })}
          </Text>
          <LongTable
            label={t`Cannot come back`}
            columns={skippedColumns.filter(isShown)}
            rows={skipped}
            rowId={({ account: { id }, reason }) => `${id} ${reason}`}
          />
        </>
      )}
    </>
  );
}

const harmlessWords = () =>
  t`Restoring removes nothing: the tasks do not use the daily budget of an app, and do not wait for confirmation.`;

const leftOutWords = (count: number) =>
  plural(count, {
    one: '# record is left out because the access is only possible.',
    other: '# records are left out because the access is only possible.',
  });

function unknownWords(names: string[]): string {
  const apps = listed(names, 'disjunction');
  return t`No sync of ${apps} had completed by then, so that access is unknown.`;
}

const STEP = 25;
/** The server lists this many. */
const LISTED = 1000;

interface TableProps<T> {
  label: string;
  columns: Column<T>[];
  rows: T[];
  rowId: (row: T) => string;
}

/** The first rows of a table, and more on request: each row reads the name of its person. */
function LongTable<T extends RowData>({ rows, ...table }: TableProps<T>) {
  const [shown, setShown] = useState(STEP);
  const rest = rows.length - shown;
  const more = grouped(Math.min(rest, STEP * 4));
  const left = grouped(rest);
  const limit = grouped(LISTED);
  return (
    <>
      <TableView {...table} compared={namesOf} rows={rows.slice(0, shown)} empty={null} />
      {rest > 0 && (
        <Button mt="xs" variant="default" onClick={() => setShown(shown + STEP * 4)}>
          <Trans>
            Show {more} more of {left}
          </Trans>
        </Button>
      )}
      {rest <= 0 && rows.length === LISTED && (
        <Text size="sm" c="dimmed" mt="xs">
          <Trans>Only the first {limit} are listed.</Trans>
        </Text>
      )}
    </>
  );
}
