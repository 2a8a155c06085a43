import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useMe } from '../../api/me.ts';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { explanationText } from '../tasks/explanation.ts';
import { changeWords, doingWords } from '../tasks/task.ts';
import { grantsOf } from './progress.ts';
import classes from './request.module.css';
import type { Ticket } from './ticket.ts';

type Task = Ticket['tasks'][number];

/** The tasks of an approved request, with a sentence on whether the access exists yet. */
export function RequestTasks({ ticket }: { ticket: Ticket }) {
  const { readsAll } = useMe();
  return (
    <>
      {ticket.tasks.some(({ status }) => status === 'pending') && (
        <NobodyCarriesOut appId={ticket.app.external_uuid} />
      )}
      <p className={classes.summary}>{summaryOf(ticket)}</p>
      <ul className={classes.tasks} aria-label={t`Tasks`}>
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
            {task.explanation !== null && <p className={classes.small}>{explanationText(task)}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

function Progress({ task: { status, execute_after, ended_at, op_type } }: { task: Task }) {
  if (ended_at !== null) {
    const when = <Moment at={ended_at} />;
    return op_type === 'POST_SYNC' ? <Trans>{when}, confirmed by a sync</Trans> : when;
  }
  if (status === 'scheduled') {
    return (
      <Trans>
        due <Moment at={execute_after} />
      </Trans>
    );
  }
  return t`waiting to be carried out`;
}

function summaryOf(ticket: Ticket): string {
  const grants = grantsOf(ticket);
  if (grants.length === 0) return '';
  const { name } = ticket.app;
  if (grants.some(({ status }) => status === 'failed' || status === 'cancelled' || status === 'preempted')) {
    return t`Some of the access was not granted because a task for ${name} did not complete.`;
  }
  if (grants.every(({ status }) => status === 'completed')) {
    return grants.every(({ op_type }) => op_type === 'POST_SYNC')
      ? t`The access was granted, and a sync of ${name} confirmed it.`
      : t`The access was reported as granted. The next sync of ${name} will confirm it.`;
  }
  return t`The access has not been granted yet. Tasks in ${name} are still to be carried out.`;
}
