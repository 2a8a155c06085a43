import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { errorWord } from '../../tasks/task-errors.ts';
import { explanationText, reasonText } from './explanation.ts';
import { changeWords, doingWords, type Task, typeWord } from './task.ts';
import classes from './tasks.module.css';

export const columns: Column<Task>[] = [
  column.cell('action', t`Task`, { phone: 'title', csv: ({ action }) => action }, (task) => (
    <span className={classes.line}>{doingWords(task)}</span>
  )),
  column.email('account', t`Account`, ({ app_user }) => app_user.email, { phone: 'detail' }),
  column.text('app', t`App`, ({ app }) => app.name),
  column.cell('status', t`Status`, { phone: 'detail', csv: ({ status }) => status }, (task) => (
    <State task={task} />
  )),
  column.cell('details', t`Details`, { csv: explanationText }, (task) => <Details task={task} />),
  column.text('type', t`Source`, ({ task_type }) => typeWord(task_type), {
    csv: ({ task_type }) => task_type,
  }),
  column.cell('moment', t`Time`, { csv: ({ created_at }) => created_at }, (task) => (
    <span className={classes.line}>
      <When task={task} />
    </span>
  )),
];

function State({ task: { status, error, attempt } }: { task: Task }) {
  const failed = status === 'failed' && error !== null;
  return (
    <>
      <Status of={status} {...(failed ? { word: errorWord(error.code) } : {})} />
      {attempt > 1 && <span className={classes.small}>{t`Attempt ${attempt}`}</span>}
    </>
  );
}

/** The explanation, or else what the task changes. */
function Details({ task }: { task: Task }) {
  const words = explanationText(task) || changeWords(task) || reasonText(task);
  return (
    <span className={classes.about} title={words}>
      {words}
    </span>
  );
}

function When({ task: { status, ended_at, execute_after, created_at, waits_for } }: { task: Task }) {
  if (ended_at !== null) return <Moment at={ended_at} />;
  // One that waits for something else than its time has no time at which it runs.
  if (status !== 'scheduled' || waits_for !== null) return <Moment at={created_at} />;
  const time = <Moment at={execute_after} />;
  return <Trans>Due {time}</Trans>;
}
