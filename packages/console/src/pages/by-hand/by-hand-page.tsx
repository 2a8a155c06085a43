import { t } from '@lingui/core/macro';
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
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
import { taskSearch } from '../tasks/search.ts';
import { taskName } from '../tasks/task.ts';
import classes from './by-hand.module.css';
import { ByHandActions, Reassigned, ToDo } from './by-hand.tsx';
import type { FulfillmentTask } from './by-hand-task.ts';
import { ByHand } from './instructions.tsx';

/** A task as the member sees it who carries it out. */
export function ByHandPage({ taskId }: { taskId: string }) {
  const [at, go] = useAddress(taskSearch);
  const navigate = useNavigate();
  const query = useQuery({
    ...get('/api/fulfillment/tasks/{task_id}/', { path: { task_id: taskId } }),
    refetchInterval: ({ state }) => (state.data?.task.status === 'pending' ? 15_000 : false),
  });
  const above = <TextLink to="/tasks">{t`Tasks`}</TextLink>;
  const shown = query.data;
  if (shown === undefined) return <UnreadyPage title={t`Task`} above={above} of={query} />;
  const { task, overdue } = shown;
  return (
    <>
      <PageHeader
        title={taskName(task)}
        isName
        above={above}
        beside={overdue ? <Status of="failed" word={t`Overdue`} /> : <Status of={task.status} />}
        actions={
          <ByHandActions
            of={shown}
            ask={at.ask}
            open={(ask) => go({ ask })}
            reassigned={() => void navigate({ to: '/tasks' })}
          />
        }
      />
      <Reassigned of={shown} />
      {task.error !== null && (
        <Alert mb="md" variant="light" color="red">
          {task.error.code !== 'INTERNAL_ERROR' && <strong>{errorWord(task.error.code)}. </strong>}
          {task.error.message}
        </Alert>
      )}
      <div className={classes.columns}>
        <Section title={t`To do`}>
          <ToDo of={shown} />
        </Section>
        <Section title={t`Details`}>
          <Details of={shown} />
        </Section>
      </div>
      <ByHand of={shown} />
    </>
  );
}

function Details({ of: { task, assignee, due_at, assigned_at, note } }: { of: FulfillmentTask }) {
  return (
    <Properties
      of={[
        [t`Assignee`, assignee?.email ?? t`Nobody`],
        [t`Assigned`, <Moment key="assigned" at={assigned_at} />],
        dueRow(due_at),
        [t`Ended`, task.ended_at === null ? undefined : <Moment key="ended" at={task.ended_at} />],
        [t`Reason`, reasonText(task) || undefined],
        [t`Note`, note ?? undefined],
      ]}
    />
  );
}
