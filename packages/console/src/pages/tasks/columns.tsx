import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { changeWords, doingWords, errorWord, type Task, typeWord } from './task.ts';
import classes from './tasks.module.css';

export const columns: Column<Task>[] = [
  { id: 'action', header: 'Task', cell: doingWords, csv: ({ action }) => action },
  {
    id: 'account',
    header: 'Account',
    cell: ({ app_user }) => app_user.email,
    csv: ({ app_user }) => app_user.email,
  },
  { id: 'app', header: 'App', cell: ({ app }) => app.name, csv: ({ app }) => app.name },
  { id: 'status', header: 'Status', cell: (task) => <State task={task} />, csv: ({ status }) => status },
  {
    id: 'what',
    header: 'What about it',
    cell: (task) => <About task={task} />,
    csv: ({ explanation }) => explanation,
  },
  {
    id: 'type',
    header: 'Made by',
    cell: ({ task_type }) => typeWord(task_type),
    csv: ({ task_type }) => task_type,
  },
  { id: 'moment', header: 'When', cell: (task) => <When task={task} />, csv: ({ created_at }) => created_at },
  {
    id: 'attempt',
    header: 'Attempt',
    cell: ({ attempt }) => attempt,
    csv: ({ attempt }) => attempt,
    right: true,
  },
];

function State({ task: { status, error } }: { task: Task }) {
  return error === null || status !== 'failed' ? (
    <Status of={status} />
  ) : (
    <Status of={status} word={`Failed: ${errorWord(error.code)}`} />
  );
}

/** Why it failed or waits, and what to do; else what it changes. */
function About({ task }: { task: Task }) {
  const words = task.explanation ?? (changeWords(task) || task.reason || '');
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
      due <Moment at={execute_after} />
    </>
  );
}
