import { useMe } from '../../api/me.ts';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Status } from '../../parts/status.tsx';
import { changeWords, doingWords } from '../tasks/task.ts';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

type Task = Ticket['tasks'][number];

/** The tasks that a request made, and whether the access is really there yet. */
export function Made({ ticket }: { ticket: Ticket }) {
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
                <When task={task} />
              </span>
            </div>
            {changeWords(task) !== '' && <p className={classes.small}>{changeWords(task)}</p>}
            {task.explanation !== null && <p className={classes.small}>{task.explanation}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function When({ task: { status, execute_after, ended_at, op_type } }: { task: Task }) {
  if (ended_at !== null) {
    return (
      <>
        <Moment at={ended_at} />
        {op_type === 'POST_SYNC' && ', seen by a sync since'}
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
  return 'waits for the connector';
}

const isGiving = ({ action, changes }: Task) =>
  action === 'create_account' ||
  (action === 'update_account' && Object.values(changes).some(({ added }) => added.length > 0));

/** Is the access really there yet? */
function summaryOf({ tasks, app }: Ticket): string {
  const retried = new Set(tasks.map(({ retry_of }) => retry_of));
  const giving = tasks.filter((task) => isGiving(task) && !retried.has(task.external_uuid));
  if (giving.length === 0) return '';
  if (giving.some(({ status }) => status === 'failed' || status === 'cancelled' || status === 'preempted')) {
    return `Not all of the access is there: something went wrong in ${app.name}.`;
  }
  if (giving.every(({ status }) => status === 'completed')) {
    return giving.every(({ op_type }) => op_type === 'POST_SYNC')
      ? `The access is there: a sync of ${app.name} has seen it.`
      : `The connector reports that the access is there; the next sync of ${app.name} will confirm it.`;
  }
  return `The access is not there yet: the connector of ${app.name} has it to do.`;
}
