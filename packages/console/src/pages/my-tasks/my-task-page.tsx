import { t } from '@lingui/core/macro';
import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { Copy } from '../../kit/controls/copy.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { UnreadyPage } from '../../kit/controls/unready.tsx';
import { dueRow } from '../../tasks/due-row.tsx';
import { errorWord } from '../../tasks/task-errors.ts';
import { reasonText } from '../tasks/explanation.ts';
import { actionWord, taskName } from '../tasks/task.ts';
import { Attachments } from './attachments.tsx';
import { CompleteDialog } from './complete-dialog.tsx';
import classes from './my-task.module.css';
import type { FulfillmentTask } from './my-task.ts';
import { ReassignTask } from './reassign-task.tsx';
import { RefuseDialog } from './refuse-dialog.tsx';
import { myTaskSearch } from './search.ts';

/** One task that a person carries out, with its instructions. */
export function MyTaskPage() {
  const { taskId } = useParams({ from: '/in/my-tasks/$taskId' });
  const [at, go] = useAddress(myTaskSearch);
  const navigate = useNavigate();
  const query = useQuery({
    ...get('/api/fulfillment/tasks/{task_id}/', { path: { task_id: taskId } }),
    refetchInterval: ({ state }) => (state.data?.task.status === 'pending' ? 15_000 : false),
  });
  const above = <TextLink to="/my-tasks">{t`My tasks`}</TextLink>;
  const shown = query.data;
  if (shown === undefined) return <UnreadyPage title={t`Task`} above={above} of={query} />;
  const { may, task, overdue, instructions, reassign_reason: reason } = shown;
  const close = () => go({ ask: undefined });
  return (
    <>
      <PageHeader
        title={taskName(task)}
        isName
        above={above}
        beside={overdue ? <Status of="failed" word={t`Overdue`} /> : <Status of={task.status} />}
        actions={
          <>
            {may.reassign && (
              <Button variant="default" onClick={() => go({ ask: 'reassign' })}>
                {t`Reassign`}
              </Button>
            )}
            {may.report && (
              <>
                <Button variant="default" onClick={() => go({ ask: 'refuse' })}>
                  {t`Refuse`}
                </Button>
                <Button onClick={() => go({ ask: 'complete' })}>{t`Mark as done`}</Button>
              </>
            )}
          </>
        }
      />
      {reason !== null && task.status === 'pending' && (
        <Alert mb="md" variant="light">
          {t`Reassigned: ${reason}`}
        </Alert>
      )}
      {task.error !== null && (
        <Alert mb="md" variant="light" color="red">
          {task.error.code !== 'INTERNAL_ERROR' && <strong>{errorWord(task.error.code)}. </strong>}
          {task.error.message}
        </Alert>
      )}
      <div className={classes.columns}>
        <Section title={t`To do`}>
          <Work of={shown} />
        </Section>
        <Section title={t`Details`}>
          <Details of={shown} />
        </Section>
      </div>
      {instructions !== null && (
        <Section title={t`Instructions`}>
          <p className={classes.instructions}>{instructions}</p>
        </Section>
      )}
      <Attachments of={shown} />
      {at.ask === 'complete' && may.report && <CompleteDialog of={shown} close={close} />}
      {at.ask === 'refuse' && may.report && <RefuseDialog of={shown} close={close} />}
      {at.ask === 'reassign' && may.reassign && (
        <ReassignTask taskId={taskId} close={close} done={() => void navigate({ to: '/my-tasks' })} />
      )}
    </>
  );
}

/** The change to make, with values to copy. */
function Work({ of: { task, account } }: { of: FulfillmentTask }) {
  const changes = Object.entries(task.changes);
  const names = (refs: { id: string; name: string }[]) =>
    refs.length === 0 ? undefined : refs.map(({ id, name }) => name || id).join(', ');
  return (
    <Properties
      of={[
        [t`Action`, actionWord(task.action)],
        [t`App`, task.app.name],
        [t`Account`, copied(t`account id`, account.external_id)],
        [t`Email`, copied(t`email`, account.email)],
        [t`Username`, copied(t`username`, account.username)],
        [t`Name`, copied(t`name`, `${account.first_name} ${account.last_name}`.trim())],
        ...changes.map(([slug, { added }]) => [t`Add to ${slug}`, names(added)] as const),
        ...changes.map(([slug, { removed }]) => [t`Remove from ${slug}`, names(removed)] as const),
      ]}
    />
  );
}

const copied = (label: string, value: string | null) =>
  value === null || value === '' ? undefined : (
    <span className={classes.copied}>
      {value} <Copy value={value} what={label} />
    </span>
  );

function Details({ of: { task, assignee, due_at, assigned_at, note } }: { of: FulfillmentTask }) {
  const { readsAll } = useMe();
  return (
    <Properties
      of={[
        [t`Assignee`, assignee?.email ?? t`Nobody`],
        [t`Assigned`, <Moment key="assigned" at={assigned_at} />],
        dueRow(due_at),
        [t`Ended`, task.ended_at === null ? undefined : <Moment key="ended" at={task.ended_at} />],
        [t`Reason`, reasonText(task) || undefined],
        [t`Note`, note ?? undefined],
        [
          t`Task`,
          readsAll ? (
            <TextLink key="task" to="/tasks/$taskId" params={{ taskId: task.external_uuid }}>
              {t`Show task`}
            </TextLink>
          ) : undefined,
        ],
      ]}
    />
  );
}
