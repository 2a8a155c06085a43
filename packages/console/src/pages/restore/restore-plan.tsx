import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Certainty } from '../../history/certainty.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { listed } from '../../kit/text/listed.ts';
import { localTime } from '../../kit/text/words.ts';
import { ExcludedPeople } from '../../people/excluded.tsx';
import { actionWord } from '../tasks/task.ts';
import { account, app, person, RestoredAccess } from './columns.tsx';
import { DecidedAccess } from './decided-access.tsx';
import { LongTable } from './long-table.tsx';
import {
  type Chosen,
  decidedAccess,
  type Plan,
  type PlannedTask,
  planWords,
  restoredTasks,
  type Skipped,
  taskCount,
} from './plan.ts';
import classes from './restore.module.css';
import type { RestoreSearch } from './search.ts';

const taskColumns: Column<PlannedTask>[] = [
  account,
  person,
  app,
  column.cell('task', t`Task`, ({ action }) =>
    action === 'update_account' ? t`Give access` : actionWord(action),
  ),
  column.cell('resources', t`Groups and licenses`, (task) => <Resources of={task} />),
  column.cell('certainty', t`Seen`, certaintyOf),
];
const skippedColumns: Column<Skipped>[] = [account, person, app, column.text('reason', t`Reason`)];

function Resources({ of: { app, included, resources } }: { of: PlannedTask }) {
  if (resources.length === 0) return t`None`;
  return (
    <span>
      {resources.map((one, index) => (
        <span key={one.entitlement_id} className={one.included ? undefined : classes.out}>
          {index > 0 && ', '}
          <Restored of={one} appId={app.id} isLeftOut={included && !one.included} />
        </span>
      ))}
    </span>
  );
}

interface RestoredProps {
  of: PlannedTask['resources'][number];
  appId: string;
  isLeftOut: boolean;
}

function Restored({ isLeftOut, ...named }: RestoredProps) {
  const name = <RestoredAccess {...named} />;
  return isLeftOut ? <Trans>{name} (left out)</Trans> : name;
}

function certaintyOf({ included, action, certainty, resources }: PlannedTask): ReactNode {
  if (!included) return <span className={classes.out}>{t`Possible, left out`}</span>;
  const all = resources.filter((one) => one.included).map((one) => one.certainty);
  if (action !== 'update_account') all.push(certainty);
  return <Certainty of={all.includes('possible') ? 'possible' : 'certain'} />;
}

interface Props {
  plan: Plan;
  scope: RestoreSearch;
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

/** The plan of a restore: counts, tasks, and the accounts that get nothing back. */
export function RestorePlan({ plan, scope, chosen, choose }: Props) {
  const { counts, coverage, skipped, as_of } = plan;
  const tasks = restoredTasks(plan);
  const decided = decidedAccess(plan);
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
      {tasks.length === 0 ? (
        !some &&
        decided.length === 0 &&
        skipped.length === 0 && (
          <Empty title={t`Nothing to restore`}>
            {t`Accounts, groups and licenses of that time still exist, or open tasks bring them back.`}
          </Empty>
        )
      ) : (
        <LongTable
          label={t`Tasks`}
          columns={taskColumns.filter(isShown)}
          rows={tasks}
          rowId={({ account: { id }, action }) => `${id} ${action}`}
        />
      )}
      {decided.length > 0 && (
        <DecidedAccess rows={decided} isShown={isShown} chosen={chosen} choose={choose} />
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
