import { useMe } from '../../api/me.ts';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import { changeWords, doingWords } from '../tasks/task.ts';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

type Task = Ticket['tasks'][number];

/** The tasks of an approved request, with a sentence on whether the access exists yet. */
export function RequestTasks({ ticket }: { ticket: Ticket }) {
  const { readsAll } = useMe();
  return (
    <>
      <p className={classes.summary}>{summaryOf(ticket)}</p>
      <ul className={classes.tasks} aria-label="Tasks">
        {ticket.tasks.map((task) => (
          <li key={task.external_uuid}>
            <div className={classes.task}>
              {readsAll ? (
                <TextLink to="/tasks/$taskId" params={{ taskId: task.external_uuid }}>
                  {doingWords(task)}
                </TextLink>
              ) : (
                <strong>{doingWords(task)}</strong>
              )}
              <Status of={task.status} />
              <span className={classes.small}>
                <Progress task={task} />
              </span>
            </div>
            {changeWords(task) !== '' && <p className={classes.small}>{changeWords(task)}</p>}
            <Explanation of={task.explanation} />
          </li>
        ))}
      </ul>
    </>
  );
}

type Explanation = string | { happened: string; advice: string | null } | null;

function Explanation({ of: explanation }: { of: Explanation }) {
  if (explanation === null) return null;
  if (typeof explanation === 'string') return <p className={classes.small}>{explanation}</p>;
  const { happened, advice } = explanation;
  return <p className={classes.small}>{advice === null ? happened : `${happened} ${advice}`}</p>;
}

function Progress({ task: { status, execute_after, ended_at, op_type } }: { task: Task }) {
  if (ended_at !== null) {
    return (
      <>
        <Moment at={ended_at} />
        {op_type === 'POST_SYNC' && ', confirmed by a sync'}
      </>
    );
  }
  if (status === 'scheduled') {
    return (
      <>
        due <Moment at={execute_after} />
      </>
    );
  }
  return 'waiting for the connector';
}

const grantsAccess = ({ action, changes }: Task) =>
  action === 'create_account' ||
  (action === 'update_account' && Object.values(changes).some(({ added }) => added.length > 0));

function summaryOf({ tasks, app }: Ticket): string {
  const retried = new Set(tasks.map(({ retry_of }) => retry_of));
  const grants = tasks.filter((task) => grantsAccess(task) && !retried.has(task.external_uuid));
  if (grants.length === 0) return '';
  if (grants.some(({ status }) => status === 'failed' || status === 'cancelled' || status === 'preempted')) {
    return `Some of the access was not granted because a task for ${app.name} did not complete.`;
  }
  if (grants.every(({ status }) => status === 'completed')) {
    return grants.every(({ op_type }) => op_type === 'POST_SYNC')
      ? `The access was granted, and a sync of ${app.name} confirmed it.`
      : `The connector reported that the access was granted. The next sync of ${app.name} will confirm it.`;
  }
  return `The access has not been granted yet. The connector of ${app.name} still has tasks to carry out.`;
}
