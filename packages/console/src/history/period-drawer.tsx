import { t } from '@lingui/core/macro';
import '@mantine/core/styles/Drawer.css';
import { Drawer, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { decisionWords } from '../access/decision-words.ts';
import { EntitlementLink } from '../access/entitlement-link.tsx';
import { foundWords, grantWords, untilWords } from '../access/grant-words.ts';
import { Decision } from '../access/reasons.tsx';
import { TaskLink } from '../events/event-links.tsx';
import { useBackCloses } from '../kit/browser/dialog-history.ts';
import { TextLink } from '../kit/controls/links.tsx';
import { Properties } from '../kit/controls/properties.tsx';
import { Section } from '../kit/controls/section.tsx';
import { Status } from '../kit/controls/status.tsx';
import { Name } from '../kit/text/name.tsx';
import { zonedTime } from '../kit/text/words.ts';
import { PersonName } from '../people/person.tsx';
import { beginWords, endWords } from './bounds.ts';
import { accountLabel, type Period, periodName, periodType } from './periods.ts';

interface Props {
  period: Period | undefined;
  close: () => void;
}

/** One period of access: its bounds, and what began and ended it. */
export function PeriodDrawer({ period, close }: Props) {
  useBackCloses(period !== undefined, close);
  return (
    <Drawer
      opened={period !== undefined}
      onClose={close}
      position="right"
      size="md"
      title={period === undefined ? t`Period` : periodName(period)}
    >
      {period !== undefined && <Detail of={period} />}
    </Drawer>
  );
}

function Detail({ of: period }: { of: Period }) {
  const { app, account, user, status, bounds, began, ended, ended_by } = period;
  const reason = grantedBy(period);
  return (
    <Stack gap="md">
      <Properties
        of={[
          [
            t`Access`,
            period.resource === null ? undefined : (
              <EntitlementLink key="access" of={period.resource} appId={app.id} />
            ),
          ],
          [t`Type`, periodType(period)],
          [t`Status`, status === null ? undefined : <Status key="status" of={status} />],
          [
            t`Account`,
            <TextLink key="account" to="/accounts/$accountId" params={{ accountId: account.id }}>
              {accountLabel(account)}
            </TextLink>,
          ],
          [t`Person`, <PersonName key="person" id={user} />],
          [
            t`App`,
            <TextLink key="app" to="/apps/$appId" params={{ appId: app.id }}>
              <Name of={app.name} />
            </TextLink>,
          ],
        ]}
      />
      <Section title={t`Beginning`}>
        <Text size="sm" mb="xs">
          {beginWords(bounds)}
        </Text>
        <Properties
          of={[
            [
              t`Last known absent`,
              <Time key="absent" at={bounds.not_before} none={t`Nothing is known before`} />,
            ],
            [t`First seen`, <Time key="from" at={bounds.seen_from} />],
            [t`Granted by`, reason === undefined ? undefined : <Name key="granted" of={reason} />],
            ...causeOf(began, app.id),
          ]}
        />
      </Section>
      <Section title={t`End`}>
        <Text size="sm" mb="xs">
          {endWords(bounds)}
        </Text>
        <Properties
          of={[
            [t`Last seen`, <Time key="until" at={bounds.seen_until} />],
            [t`Gone by`, <Time key="gone" at={bounds.gone_by} none={t`Not ended`} />],
            [
              t`Ended by`,
              ended_by === null ? undefined : (
                <Decision key="ended" kind={ended_by.kind} id={ended_by.external_uuid}>
                  <Name of={decisionWords(ended_by)} />
                </Decision>
              ),
            ],
            ...(ended === null ? [] : causeOf(ended, app.id)),
            [
              t`Proof`,
              ended?.task_id ? (
                <TextLink key="proof" to="/tasks/$taskId/proof" params={{ taskId: ended.task_id }}>
                  {t`Show proof`}
                </TextLink>
              ) : undefined,
            ],
          ]}
        />
      </Section>
    </Stack>
  );
}

function Time({ at, none = t`Unknown` }: { at: string | null; none?: string }) {
  if (at === null) return <span>{none}</span>;
  const moment = new Date(at);
  return <time dateTime={at}>{zonedTime(moment)}</time>;
}

type Cause = NonNullable<Period['began']>;

const KINDS = {
  sync: t`Sync`,
  abandoned_sync: t`Abandoned sync`,
  removal: t`Removal by a sync`,
  task: t`Task`,
  revert: t`Reverted sync`,
} satisfies Record<Cause['kind'], string>;

const causeWord = (cause: Period['began']) => (cause === null ? '' : KINDS[cause.kind]);

/** Returns the first reason when a period began. Undefined: no decision is known. */
export function grantedBy({ grant, began }: Period): string | undefined {
  if (grant === null) return began?.kind === 'task' ? undefined : foundWords;
  const words = grantWords(grant);
  return grant.ends_at === null ? words : `${words}, ${untilWords(grant.ends_at)}`;
}

/** Returns the decision behind the beginning of a period, or the kind of change. */
export const beganBy = (period: Period) => (period.grant && grantedBy(period)) ?? causeWord(period.began);

/** Returns the decision behind the end of a period, or the kind of change. */
export const endedBy = ({ ended, ended_by }: Period) =>
  ended_by === null ? causeWord(ended) : decisionWords(ended_by);

/** The cause of a beginning or an end, with links to everything that led to it. */
function causeOf(cause: Period['began'], appId: string): [string, ReactNode][] {
  if (cause === null) return [[t`Cause`, t`Unknown`]];
  const { kind, task_id, ticket_id, review_item_id, policy_id, decided_by, sync_id } = cause;
  const word = KINDS[kind];
  return [
    [
      t`Cause`,
      sync_id === null ? (
        word
      ) : (
        <TextLink key="sync" to="/apps/$appId/syncs/$syncId" params={{ appId, syncId: sync_id }}>
          {word}
        </TextLink>
      ),
    ],
    [t`Recorded`, <Time key="at" at={cause.at} />],
    [t`Task`, task_id && <TaskLink id={task_id}>{t`Open task`}</TaskLink>],
    [
      t`Request`,
      ticket_id && (
        <TextLink to="/requests/$ticketId" params={{ ticketId: ticket_id }}>
          {t`Open request`}
        </TextLink>
      ),
    ],
    [t`Access review`, review_item_id && t`Item ${review_item_id}`],
    [
      t`Policy`,
      policy_id && (
        <TextLink to="/policies/$policyId" params={{ policyId: policy_id }}>
          {t`Open policy`}
        </TextLink>
      ),
    ],
    [
      t`Decided by`,
      decided_by && (
        <TextLink to="/people/$userId" params={{ userId: decided_by.external_uuid }}>
          <Name of={decided_by.email} />
        </TextLink>
      ),
    ],
  ].map(([name, value]) => [name as string, value === null || value === '' ? undefined : value]);
}
