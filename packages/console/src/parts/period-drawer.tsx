import '@mantine/core/styles/Drawer.css';
import { Drawer, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { beginWords, endWords } from './bounds.ts';
import { TaskLink } from './event-links.tsx';
import { TextLink } from './links.tsx';
import { accountLabel, type Period, periodName, periodType } from './periods.ts';
import { PersonName } from './person.tsx';
import { Properties } from './properties.tsx';
import { Section } from './section.tsx';
import { Status } from './status.tsx';
import { exact, localTime } from './words.ts';

interface Props {
  period: Period | undefined;
  close: () => void;
}

/** One period of access: its bounds, and what began and ended it. */
export function PeriodDrawer({ period, close }: Props) {
  return (
    <Drawer
      opened={period !== undefined}
      onClose={close}
      position="right"
      size="md"
      title={period === undefined ? 'Period' : periodName(period)}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {period !== undefined && <Detail of={period} />}
    </Drawer>
  );
}

function Detail({ of: period }: { of: Period }) {
  const { app, account, user, status, bounds, began, ended } = period;
  return (
    <Stack gap="md">
      <Properties
        of={[
          ['Type', periodType(period)],
          ['Status', status === null ? undefined : <Status key="status" of={status} />],
          [
            'Account',
            <TextLink key="account" to="/accounts/$accountId" params={{ accountId: account.id }}>
              {accountLabel(account)}
            </TextLink>,
          ],
          ['Person', <PersonName key="person" id={user} none="Not linked" />],
          [
            'App',
            <TextLink key="app" to="/apps/$appId" params={{ appId: app.id }}>
              {app.name}
            </TextLink>,
          ],
        ]}
      />
      <Section title="Beginning">
        <Text size="sm" mb="xs">
          {beginWords(bounds)}
        </Text>
        <Properties
          of={[
            [
              'Last known absent',
              <Time key="absent" at={bounds.not_before} none="Nothing is known before" />,
            ],
            ['Certain from', <Time key="from" at={bounds.seen_from} />],
            ...causeOf(began, app.id),
          ]}
        />
      </Section>
      <Section title="End">
        <Text size="sm" mb="xs">
          {endWords(bounds)}
        </Text>
        <Properties
          of={[
            ['Last seen', <Time key="until" at={bounds.seen_until} />],
            ['Gone by', <Time key="gone" at={bounds.gone_by} none="Not ended" />],
            ...(ended === null ? [] : causeOf(ended, app.id)),
          ]}
        />
      </Section>
    </Stack>
  );
}

function Time({ at, none = 'Unknown' }: { at: string | null; none?: string }) {
  if (at === null) return <span>{none}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={at} title={localTime(moment)}>
      {exact(moment)}
    </time>
  );
}

type Cause = NonNullable<Period['began']>;

const KINDS = {
  sync: 'Sync',
  abandoned_sync: 'Abandoned sync',
  removal: 'Removal by a sync',
  task: 'Task',
  revert: 'Reverted sync',
} satisfies Record<Cause['kind'], string>;

export const causeWord = (cause: Period['began']) => (cause === null ? '' : KINDS[cause.kind]);

/** The cause of a beginning or an end, with links to everything that led to it. */
function causeOf(cause: Period['began'], appId: string): [string, ReactNode][] {
  if (cause === null) return [['Cause', 'Unknown']];
  const { kind, task_id, ticket_id, review_item_id, policy_id, decided_by, sync_id } = cause;
  const word = KINDS[kind];
  return [
    [
      'Cause',
      sync_id === null ? (
        word
      ) : (
        <TextLink key="sync" to="/apps/$appId" params={{ appId }} search={{ tab: 'syncs' }}>
          {word}
        </TextLink>
      ),
    ],
    ['Recorded', <Time key="at" at={cause.at} />],
    ['Task', task_id && <TaskLink id={task_id}>Open task</TaskLink>],
    [
      'Request',
      ticket_id && (
        <TextLink to="/requests/$ticketId" params={{ ticketId: ticket_id }}>
          Open request
        </TextLink>
      ),
    ],
    ['Access review', review_item_id && `Item ${review_item_id}`],
    [
      'Policy',
      policy_id && (
        <TextLink to="/policies/$policyId" params={{ policyId: policy_id }}>
          Open policy
        </TextLink>
      ),
    ],
    [
      'Decided by',
      decided_by && (
        <TextLink to="/people/$userId" params={{ userId: decided_by.external_uuid }}>
          {decided_by.email}
        </TextLink>
      ),
    ],
  ].map(([name, value]) => [name as string, value === null || value === '' ? undefined : value]);
}
