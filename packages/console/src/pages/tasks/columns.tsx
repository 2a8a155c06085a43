import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { changeWords, doingWords, errorWord, explanationText, type Task, typeWord } from './task.ts';
import classes from './tasks.module.css';

export const columns: Column<Task>[] = [
  {
    id: 'action',
    header: 'Task',
    cell: (task) => <span className={classes.line}>{doingWords(task)}</span>,
    csv: ({ action }) => action,
  },
  {
    id: 'account',
    header: 'Account',
    cell: ({ app_user }) => <span className={classes.account}>{app_user.email}</span>,
    csv: ({ app_user }) => app_user.email,
  },
  { id: 'app', header: 'App', cell: ({ app }) => app.name, csv: ({ app }) => app.name },
  { id: 'status', header: 'Status', cell: (task) => <State task={task} />, csv: ({ status }) => status },
  {
    id: 'details',
    header: 'Details',
    cell: (task) => <Details task={task} />,
    csv: explanationText,
  },
  {
    id: 'type',
    header: 'Source',
    cell: ({ task_type }) => typeWord(task_type),
    csv: ({ task_type }) => task_type,
  },
  {
    id: 'moment',
    header: 'Time',
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
      {attempt > 1 && <span className={classes.small}>Attempt {attempt}</span>}
    </>
  );
}

/** The explanation, or else what the task changes. */
function Details({ task }: { task: Task }) {
  const words = explanationText(task) || changeWords(task) || task.reason || '';
  return (
    <span className={classes.about} title={words}>
      {words}
    </span>
  );
}

function When({ task: { status, ended_at, execute_after, created_at } }: { task: Task }) {
  if (ended_at !== null) return <Moment at={ended_at} />;
  if (status !== 'scheduled') return <Moment at={created_at} />;
  return (
    <>
      Due <Moment at={execute_after} />
    </>
  );
}
