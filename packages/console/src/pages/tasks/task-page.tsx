import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { api, get, type Item, ok, useChange } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { NobodyCarriesOut } from '../../apps/nobody-carries-out.tsx';
import { History } from '../../events/event-history.tsx';
import { type Action, ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Failure } from '../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { IconAlertTriangle, IconInfoCircle, IconRefresh } from '../../kit/icons/icons.ts';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonName } from '../../people/person.tsx';
import { dueRow } from '../../tasks/due-row.tsx';
import { errorWord } from '../../tasks/task-errors.ts';
import { ByHandActions, Reassigned } from '../by-hand/by-hand.tsx';
import { ByHandPage } from '../by-hand/by-hand-page.tsx';
import type { FulfillmentTask } from '../by-hand/by-hand-task.ts';
import { ByHand } from '../by-hand/instructions.tsx';
import { explanationOf, reasonText } from './explanation.ts';
import { taskSearch } from './search.ts';
import { SeenAfterwards } from './seen.tsx';
import {
  accountWord,
  isOpen,
  type Task,
  type TaskDetails,
  takesAway,
  taskName,
  typeWord,
  wholeWords,
} from './task.ts';
import classes from './tasks.module.css';

/** A task: with its events for those who read all, and as its assignee needs it for members. */
export function TaskPage() {
  const { taskId } = useParams({ from: '/in/tasks/$taskId' });
  const { me, readsAll } = useMe();
  if (me === undefined) return null;
  return readsAll ? <WholeTask taskId={taskId} /> : <ByHandPage taskId={taskId} />;
}

function WholeTask({ taskId }: { taskId: string }) {
  const query = useQuery({
    ...get('/api/tasks/{task_id}/', { path: { task_id: taskId } }),
    refetchInterval: ({ state }) => (state.data === undefined || isOpen(state.data) ? 5_000 : false),
  });
  const task = query.data;
  const byHand = useQuery({
    ...get('/api/fulfillment/tasks/{task_id}/', { path: { task_id: taskId } }),
    enabled: task?.fulfillment != null,
  }).data;
  const above = (
    <TextLink to="/tasks">
      <Trans>Tasks</Trans>
    </TextLink>
  );
  if (task === undefined) {
    return (
      <>
        <PageHeader title={t`Task`} above={above} />
        {query.isError && <Failure error={query.error} again={() => void query.refetch()} />}
      </>
    );
  }
  return (
    <>
      <Header task={task} byHand={byHand} />
      {byHand !== undefined && <Reassigned of={byHand} />}
      <ExplanationAlert task={task} />
      {task.status === 'pending' && <NobodyCarriesOut appId={task.app.external_uuid} />}
      <div className={classes.columns}>
        <Section title={t`Details`}>
          <Details task={task} />
        </Section>
        <Section title={t`Progress`}>
          <Progress task={task} />
        </Section>
      </div>
      <Section title={t`Changes`}>
        <Changes task={task} />
      </Section>
      {byHand !== undefined && <ByHand of={byHand} />}
      <Attempts task={task} />
      <Section title={t`History`}>
        <History of={{ subject_uuid: taskId }} label={t`Events of this task`} none={t`No events yet.`} />
      </Section>
    </>
  );
}

function Header({ task, byHand }: { task: Task; byHand: FulfillmentTask | undefined }) {
  const [at, go] = useAddress(taskSearch);
  const navigate = useNavigate();
  const { manages } = useMe();
  const attempts = useAttempts(task);
  const path = { task_id: task.external_uuid };
  const retry = useChange(() => ok(api.POST('/api/tasks/{task_id}/retry/', { params: { path } })), {
    success: t`Retry started`,
    after: ({ external_uuid }) => void navigate({ to: '/tasks/$taskId', params: { taskId: external_uuid } }),
  });
  // Whether a retry exists is not known until the attempts are loaded.
  const isLast = attempts?.every(({ retry_of }) => retry_of !== task.external_uuid) === true;
  const { status } = task;
  const cancel: Action = {
    title: t`Cancel this task?`,
    sentence:
      status === 'pending'
        ? t`The connector may have started it already. If so, the next sync shows what it did.`
        : t`Connectors will not receive this task.`,
    comment: t`Reason`,
    button: t`Cancel task`,
    danger: true,
    request: (reason) =>
      ok(api.POST('/api/tasks/{task_id}/cancel/', { params: { path }, body: { reason: reason || null } })),
    message: t`Task canceled`,
  };
  return (
    <>
      <PageHeader
        title={taskName(task)}
        isName
        above={
          <TextLink to="/tasks">
            <Trans>Tasks</Trans>
          </TextLink>
        }
        beside={<Status of={status} />}
        actions={
          <>
            {takesAway(task) && (
              <ButtonLink to="/tasks/$taskId/proof" params={{ taskId: task.external_uuid }} variant="default">
                {t`Proof`}
              </ButtonLink>
            )}
            {byHand !== undefined && isOpen(task) && (
              <ByHandActions
                of={byHand}
                ask={at.ask}
                open={(ask) => go({ ask })}
                reassigned={() => go({ ask: undefined })}
              />
            )}
            {manages && (
              <>
                {status === 'failed' && isLast && (
                  <Button
                    leftSection={<IconRefresh size={15} aria-hidden />}
                    loading={retry.isPending}
                    onClick={() => retry.mutate(undefined)}
                  >
                    {t`Retry task`}
                  </Button>
                )}
                {isOpen(task) && (
                  <Button variant="outline" color="red" onClick={() => go({ ask: 'cancel' })}>
                    {t`Cancel task`}
                  </Button>
                )}
              </>
            )}
          </>
        }
      />
      <ActionDialog of={at.ask === 'cancel' ? cancel : undefined} close={() => go({ ask: undefined })} />
    </>
  );
}

function ExplanationAlert({ task }: { task: Task }) {
  const explanation = explanationOf(task);
  if (explanation === null) return null;
  const failed = task.status === 'failed';
  return (
    <Alert
      mb="md"
      variant="light"
      color={failed ? 'red' : 'blue'}
      icon={failed ? <IconAlertTriangle aria-hidden /> : <IconInfoCircle aria-hidden />}
    >
      <strong>{explanation.happened}</strong> {explanation.advice}
      {task.hold !== null && (
        <>
          {' '}
          <TextLink to="/holds/$holdId" params={{ holdId: task.hold }} underline="always">
            <Trans>Show the hold</Trans>
          </TextLink>
        </>
      )}
    </Alert>
  );
}

function Details({ task }: { task: TaskDetails }) {
  const account = useQuery({
    ...get('/api/accounts/{account_id}/', { path: { account_id: task.app_user.external_uuid } }),
    staleTime: 30_000,
  }).data;
  return (
    <Properties
      of={[
        [
          t`App`,
          <TextLink key="app" to="/apps/$appId" params={{ appId: task.app.external_uuid }}>
            <Name of={task.app.name} />
          </TextLink>,
        ],
        [
          t`Account`,
          <TextLink
            key="account"
            to="/accounts/$accountId"
            params={{ accountId: task.app_user.external_uuid }}
          >
            {accountWord(task)}
          </TextLink>,
        ],
        [t`Username`, task.username === null ? undefined : <Name key="username" of={task.username} />],
        [t`Person`, <PersonName key="person" id={account?.user} />],
        [t`Source`, <Source key="source" task={task} />],
        [t`Reason`, reasonText(task) || undefined],
        [
          t`Created by`,
          task.creator === null ? t`Gatehouse` : <PersonName key="creator" id={task.creator.external_uuid} />,
        ],
      ]}
    />
  );
}

/** Links to the decision that created the task. */
function Source({ task: { source, task_type } }: { task: Task }) {
  const word = typeWord(task_type);
  if (source?.type === 'ticket') {
    return (
      <TextLink to="/requests/$ticketId" params={{ ticketId: source.id }}>
        {word}
      </TextLink>
    );
  }
  if (source?.type === 'policy') {
    return (
      <TextLink to="/policies/$policyId" params={{ policyId: source.id }}>
        {word}
      </TextLink>
    );
  }
  if (source?.type === 'review_item') return <TextLink to="/reviews">{word}</TextLink>;
  return word;
}

function Progress({ task }: { task: TaskDetails }) {
  const { status, error, execute_after, waits_for, dispatched_at, ended_at, preempted_by, fulfillment } =
    task;
  const byHand = fulfillment !== null;
  return (
    <Properties
      of={[
        [t`Created`, <Moment key="created" at={task.created_at} />],
        [
          t`Starts`,
          status === 'scheduled' && waits_for === null ? (
            <Moment key="starts" at={execute_after} />
          ) : undefined,
        ],
        ...(fulfillment === null ? [] : byHandRows(task, fulfillment)),
        [t`Picked up`, byHand ? undefined : <Moment key="dispatched" at={dispatched_at} none={t`Not yet`} />],
        [t`Ended`, <Moment key="ended" at={ended_at} none={t`Not yet`} />],
        [t`Confirmed`, status === 'completed' ? <Confirmed key="confirmed" task={task} /> : undefined],
        [
          t`Seen afterwards`,
          task.seen === null ? undefined : (
            <SeenAfterwards key="seen" seen={task.seen} changes={task.changes} />
          ),
        ],
        [t`Error`, error === null ? undefined : `${errorWord(error.code)} (${error.code})`],
        [byHand ? t`Message` : t`Connector message`, error?.message || undefined],
        [t`Attempt`, task.attempt],
        [
          t`Replaced by`,
          preempted_by === null ? undefined : (
            <TextLink key="preempted" to="/tasks/$taskId" params={{ taskId: preempted_by }}>
              <Trans>Deletion of the account</Trans>
            </TextLink>
          ),
        ],
      ]}
    />
  );
}

/** The rows of a task that a person carries out: who, until when, and their note. */
function byHandRows(
  { status }: TaskDetails,
  { assignee, due_at, note, reported_by }: NonNullable<TaskDetails['fulfillment']>,
): (readonly [string, ReactNode])[] {
  return [
    [t`Assignee`, <PersonName key="assignee" id={assignee?.external_uuid ?? null} />],
    dueRow(due_at),
    [
      status === 'failed' ? t`Refused by` : t`Marked as done by`,
      reported_by === null ? undefined : <PersonName key="by" id={reported_by} />,
    ],
    [t`Note`, note ?? undefined],
  ];
}

/** Shows how the result of a completed task was confirmed. Links the sync, if it was one. */
function Confirmed({ task }: { task: TaskDetails }) {
  const { app, confirmation, confirmed_by_sync: sync } = task;
  if (confirmation !== 'sync' || sync === null) return confirmedBy(task);
  return (
    <TextLink to="/apps/$appId/syncs/$syncId" params={{ appId: app.external_uuid, syncId: sync }}>
      <Trans>Yes, show the sync</Trans>
    </TextLink>
  );
}

/** Returns how the result of a completed task was confirmed, in words. */
function confirmedBy({ status, confirmation, action }: Task): string | undefined {
  if (status !== 'completed') return undefined;
  if (confirmation === 'read') return t`Yes, the connector read the account back`;
  if (confirmation === 'sync') return t`Yes, by a sync`;
  if (action === 'reset_password') return t`No, because systems do not show passwords`;
  return t`Not yet. The next sync confirms it.`;
}

interface Change {
  key: string;
  slug: string;
  name: string;
  id: string;
  added: boolean;
}

const changeColumnsOf = (appId: string): Column<Change>[] => [
  column.cell('name', t`Group or license`, (change) => <EntitlementLink of={change} appId={appId} />),
  column.text('slug', t`Type`),
  column.name('id', t`ID in the app`),
  column.cell('change', t({ message: 'Change', context: 'a difference' }), ({ added }) =>
    added ? t`+ added` : t`− removed`,
  ),
];

/** The groups and licenses that a task changes. One that acts on the whole account says so. */
function Changes({ task: { action, app, changes } }: { task: Task }) {
  const rows = Object.entries(changes).flatMap(([slug, { added, removed }]) => [
    ...added.map((one) => ({ ...one, slug, added: true, key: `${slug}/${one.id}` })),
    ...removed.map((one) => ({ ...one, slug, added: false, key: `${slug}/${one.id}` })),
  ]);
  const whole = wholeWords(action);
  if (rows.length === 0 && whole !== undefined) return <Text size="sm">{whole}</Text>;
  return (
    <TableView
      label={t`Changed groups and licenses`}
      columns={changeColumnsOf(app.external_uuid)}
      rows={rows}
      rowId={({ key }) => key}
      empty={t`No changes left.`}
    />
  );
}

/** Returns all attempts at a task, oldest first. Undefined while they load. */
function useAttempts({ external_uuid }: Task): Item<'/api/tasks/'>[] | undefined {
  const { data } = useQuery(get('/api/tasks/', { query: { attempts_of: external_uuid, limit: 200 } }));
  return data?.results.toReversed();
}

function Attempts({ task }: { task: Task }) {
  const attempts = useAttempts(task);
  if (attempts === undefined || attempts.length < 2) return null;
  return (
    <Section title={t`Attempts`}>
      <ol className={classes.chain}>
        {attempts.map((one) => (
          <li key={one.external_uuid}>
            <span>
              <Attempt of={one} />
            </span>
            <Status of={one.status} {...(one.error === null ? {} : { word: errorWord(one.error.code) })} />
            <Moment at={one.ended_at ?? one.created_at} />
            {one.external_uuid === task.external_uuid ? (
              <strong>
                <Trans>This attempt</Trans>
              </strong>
            ) : (
              <TextLink to="/tasks/$taskId" params={{ taskId: one.external_uuid }}>
                <Trans context="verb">Open</Trans>
              </TextLink>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

const Attempt = ({ of: { attempt } }: { of: Pick<Task, 'attempt'> }) => <Trans>Attempt {attempt}</Trans>;
