import { Button, Text } from '@mantine/core';
import type { RowData } from '@tanstack/react-table';
import { type ReactNode, useState } from 'react';
import { Certainty } from '../../parts/certainty.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextLink } from '../../parts/links.tsx';
import { accountLabel } from '../../parts/periods.ts';
import { PersonName } from '../../parts/person.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { counted, grouped, localTime } from '../../parts/words.ts';
import { actionWord } from '../tasks/task.ts';
import { type Plan, type PlannedTask, planWords, type Skipped, taskCount } from './plan.ts';
import classes from './restore.module.css';
import type { RestoreSearch } from './search.ts';

type Row = PlannedTask | Skipped;

const account: Column<Row> = {
  id: 'account',
  header: 'Account',
  cell: ({ account: { id, ...named } }) => (
    <TextLink to="/accounts/$accountId" params={{ accountId: id }}>
      {accountLabel({ id, ...named })}
    </TextLink>
  ),
};
const person: Column<Row> = {
  id: 'person',
  header: 'Person',
  cell: ({ user }) => <PersonName id={user} none="Not linked" />,
};
const app: Column<Row> = { id: 'app', header: 'App', cell: (row) => row.app.name };

const taskColumns: Column<PlannedTask>[] = [
  account,
  person,
  app,
  {
    id: 'task',
    header: 'Task',
    cell: ({ action }) => (action === 'update_account' ? 'Give access' : actionWord(action)),
  },
  { id: 'resources', header: 'Groups and licenses', cell: (task) => <Resources of={task} /> },
  { id: 'certainty', header: 'Certainty', cell: (task) => certaintyOf(task) },
];
const skippedColumns: Column<Skipped>[] = [
  account,
  person,
  app,
  { id: 'reason', header: 'Reason', cell: ({ reason }) => reason },
];

function Resources({ of: { included, resources } }: { of: PlannedTask }) {
  if (resources.length === 0) return 'None';
  return resources.map((one, index) => (
    <span key={one.entitlement_id} className={one.included ? undefined : classes.out}>
      {index > 0 && ', '}
      {one.name || one.id}
      {included && !one.included && ' (left out)'}
    </span>
  ));
}

function certaintyOf({ included, action, certainty, resources }: PlannedTask): ReactNode {
  if (!included) return <span className={classes.out}>Possible, left out</span>;
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
        {some
          ? `${planWords(plan)} Restoring removes nothing: the tasks do not use the daily budget of an app, and do not wait for confirmation.`
          : `Nothing to restore as of ${time}.`}
        {counts.left_out > 0 &&
          ` ${leftOutWords(counts.left_out)} left out because the access is only possible.`}
        {unknown.length > 0 &&
          ` No sync of ${unknown.map((one) => one.app.name).join(', ')} had completed by then, so that access is unknown.`}
      </Text>
      {results.length === 0 ? (
        !some &&
        skipped.length === 0 && (
          <Empty title="Nothing to restore">
            Accounts, groups and licenses of that time still exist, or open tasks bring them back.
          </Empty>
        )
      ) : (
        <LongTable
          label="Tasks"
          columns={taskColumns.filter(isShown)}
          rows={results}
          rowId={({ account: { id }, action }) => `${id} ${action}`}
        />
      )}
      {skipped.length > 0 && (
        <>
          <Text mt="md" mb="sm">
            {counted(counts.skipped, 'record')} cannot come back.
          </Text>
          <LongTable
            label="Cannot come back"
            columns={skippedColumns.filter(isShown)}
            rows={skipped}
            rowId={({ account: { id }, reason }) => `${id} ${reason}`}
          />
        </>
      )}
    </>
  );
}

const leftOutWords = (count: number) => (count === 1 ? '1 record is' : `${grouped(count)} records are`);

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
  return (
    <>
      <TableView {...table} rows={rows.slice(0, shown)} empty={null} />
      {rest > 0 && (
        <Button mt="xs" variant="default" onClick={() => setShown(shown + STEP * 4)}>
          Show {grouped(Math.min(rest, STEP * 4))} more of {grouped(rest)}
        </Button>
      )}
      {rest <= 0 && rows.length === LISTED && (
        <Text size="sm" c="dimmed" mt="xs">
          Only the first {grouped(LISTED)} are listed.
        </Text>
      )}
    </>
  );
}
