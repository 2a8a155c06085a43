import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Email } from '../../kit/controls/email.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { errorWord } from '../../tasks/task-errors.ts';
import { explanationText, reasonText } from './explanation.ts';
import { changeWords, doingWords, type Task, typeWord } from './task.ts';
import classes from './tasks.module.css';

export const columns: Column<Task>[] = [
  {
    id: 'action',
    header: t`Task`,
    phone: 'title',
    cell: (task) => <span className={classes.line}>{doingWords(task)}</span>,
    csv: ({ action }) => action,
  },
  {
    id: 'account',
    header: t`Account`,
    phone: 'detail',
    cell: ({ app_user }) => <Email of={app_user.email} />,
    csv: ({ app_user }) => app_user.email,
  },
  { id: 'app', header: t`App`, cell: ({ app }) => app.name, csv: ({ app }) => app.name },
  {
    id: 'status',
    header: t`Status`,
    phone: 'detail',
    cell: (task) => <State task={task} />,
    csv: ({ status }) => status,
  },
  {
    id: 'details',
    header: t`Details`,
    cell: (task) => <Details task={task} />,
    csv: explanationText,
  },
  {
    id: 'type',
    header: t`Source`,
    cell: ({ task_type }) => typeWord(task_type),
    csv: ({ task_type }) => task_type,
  },
  {
    id: 'moment',
    header: t`Time`,
    cell: (task) => (
      <span className={classes.line}>
        <When task={task} />
      </span>
    ),
    csv: ({ created_at }) => created_at,
  },
];

function State({ task: { status, error, attempt } }: { task: Task }) {
  const failed = status === 'failed' && error !== null;
  return (
    <>
      <Status of={status} {...(failed ? { word: errorWord(error.code) } : {})} />
      {attempt > 1 && (
        <span className={classes.small}>
          <Trans>Attempt {attempt}</Trans>
        </span>
      )}
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
