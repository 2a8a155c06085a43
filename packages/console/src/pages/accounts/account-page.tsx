import { t } from '@lingui/core/macro';
import { Plural } from '@lingui/react/macro';
import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Why } from '../../access/why.tsx';
import { get, type Item } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { History } from '../../events/event-history.tsx';
import { AccessTimeline } from '../../history/access-timeline.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { RestoreLink } from '../../history/restore-link.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { ButtonLink, TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Properties } from '../../kit/controls/properties.tsx';
import { Section } from '../../kit/controls/section.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { LeaverAccountBanner } from '../people/leaver-banner.tsx';
import { AwaitedUpload } from '../proof/awaited-upload.tsx';
import { changeWords, doingWords, isOpen, takesAway } from '../tasks/task.ts';
import { type Account, accountName, STATUS_HINTS } from './account.ts';
import { AccountActions } from './account-actions.tsx';
import { detailRows } from './account-details.tsx';
import { AccountOwner } from './account-owner.tsx';
import { AccountThen } from './account-then.tsx';
import { Candidates } from './candidates.tsx';
import { Entitlements } from './entitlements.tsx';
import { LinkedPerson } from './linked-person.tsx';
import { accountSearch } from './search.ts';
import { Suspensions } from './suspensions.tsx';
import { TaskSource } from './task-source.tsx';

type Task = Item<'/api/tasks/'>;

const TASKS_READ = 200;

const taskColumns: Column<Task>[] = [
  column.cell('action', t`Task`, doingWords),
  column.cell('changes', t`Changes`, changeWords),
  column.status('status', t`Status`),
  column.cell('source', t`Source`, (task) => <TaskSource task={task} />),
  column.moment('created_at', t`Created`),
];

export function AccountPage() {
  const { accountId } = useParams({ from: '/in/accounts/$accountId' });
  const account = useQuery(get('/api/accounts/{account_id}/', { path: { account_id: accountId } }));
  if (account.data === undefined) {
    return (
      <>
        <PageHeader title={t`Account`} above={<TextLink to="/accounts">{t`Accounts`}</TextLink>} />
        {account.isError ? (
          <Failure error={account.error} again={() => void account.refetch()} />
        ) : (
          <Skeleton height={160} />
        )}
      </>
    );
  }
  return <Loaded key={accountId} account={account.data} />;
}

function Loaded({ account }: { account: Account }) {
  const [at, go] = useAddress(accountSearch);
  if (at.as_of !== undefined) return <AccountThen account={account} at={at} go={go} />;
  return <AccountNow account={account} />;
}

function AccountNow({ account }: { account: Account }) {
  const [at, go] = useAddress(accountSearch);
  const { manages, readsAll } = useMe();
  const tasks = useQuery({
    ...get('/api/tasks/', { query: { account: account.external_uuid, limit: TASKS_READ } }),
    refetchInterval: ({ state }) => (state.data?.results.some(isOpen) ? 15_000 : false),
  });
  const { app, email, username, external_id, status, last_seen_at } = account;
  const attributes = Object.entries(account.attributes ?? {}).toSorted(([one], [other]) =>
    one.localeCompare(other),
  );
  const hint = STATUS_HINTS[status];
  const set = (ask: typeof at.ask) => go({ ask });
  const isRemoved = tasks.data?.results.some(takesAway) === true;
  return (
    <>
      <PageHeader
        title={accountName(account)}
        isName
        above={<TextLink to="/accounts">{t`Accounts`}</TextLink>}
        beside={<Status of={status} />}
        about={hint === undefined ? app.name : t`${{ app: app.name }}. ${hint}`}
        actions={
          <>
            {manages && <AccountActions account={account} ask={at.ask} set={set} />}
            {(status === 'INACTIVE' || isRemoved) && (
              <ButtonLink
                to="/accounts/$accountId/proof"
                params={{ accountId: account.external_uuid }}
                variant="default"
              >
                {t`Proof of removal`}
              </ButtonLink>
            )}
            <RestoreLink
              of={{ account: account.external_uuid }}
              asOf={status === 'INACTIVE' ? (last_seen_at ?? undefined) : undefined}
            />
          </>
        }
      />
      <PastControls of={{ account: account.external_uuid }} at={at} go={go} />
      {isRemoved && manages && <AwaitedUpload accountId={account.external_uuid} />}
      <LeaverAccountBanner userId={account.user} accountId={account.external_uuid} />
      <Candidates account={account} />
      <Suspensions account={account} />
      <Section title={t`Account`}>
        <Properties
          of={[
            [
              t`App`,
              <TextLink key="app" to="/apps/$appId" params={{ appId: app.external_uuid }}>
                <Name of={app.name} />
              </TextLink>,
            ],
            [t`Person`, <LinkedPerson key="person" account={account} ask={at.ask} set={set} />],
            [t`Kind`, <AccountOwner key="kind" account={account} ask={at.ask} set={set} />],
            [
              t`Connector`,
              account.is_own === true
                ? t`Signs in with this account. It can be neither suspended nor deleted.`
                : undefined,
            ],
            [
              t`Why`,
              <Why
                key="why"
                of={{
                  ...account,
                  account: account.external_uuid,
                  name: accountName(account),
                  held: null,
                  appId: app.external_uuid,
                }}
              />,
            ],
            [t`Email`, email === '' ? t`None` : email],
            [t`Username`, username === '' ? t`None` : username],
            [t`External ID`, external_id ?? t`Not known yet`],
            [t`Last seen`, <Moment key="seen" at={last_seen_at} />],
            ...detailRows(account),
          ]}
        />
      </Section>
      {attributes.length > 0 && (
        <Section title={t`Attributes`}>
          <Properties of={attributes.map(([name, value]) => [name, attributeWord(value)])} />
        </Section>
      )}
      <Section title={t`Access`}>
        <Entitlements account={account} />
      </Section>
      <Section title={t`Tasks`}>
        {tasks.isError ? (
          <Failure error={tasks.error} again={() => void tasks.refetch()} />
        ) : (
          <Tasks all={tasks.data?.results} />
        )}
      </Section>
      <Section title={t`Timeline`}>
        <AccessTimeline filter={{ account: account.external_uuid }} at={at} go={go} />
      </Section>
      {readsAll && (
        <Section title={t`History`}>
          <History
            of={{ subject_uuid: account.external_uuid }}
            label={t`Account history`}
            none={t`No events since the first sync of the app.`}
          />
        </Section>
      )}
    </>
  );
}

const attributeWord = (value: string | number | boolean) =>
  typeof value === 'boolean' ? (value ? t`Yes` : t`No`) : String(value);

const ENDED_SHOWN = 5;

/** Open tasks, then the last few that ended. */
function Tasks({ all }: { all: Task[] | undefined }) {
  const open = all?.filter(isOpen);
  const ended = all?.filter((task) => !isOpen(task)) ?? [];
  const rows = open === undefined ? undefined : [...open, ...ended.slice(0, ENDED_SHOWN)];
  return (
    <>
      <TableView
        label={t`Tasks`}
        columns={taskColumns}
        rows={rows}
        href={({ external_uuid }) => `/tasks/${external_uuid}`}
        empty={<Empty title={t`No tasks yet`}>{t`Tasks for this account appear here.`}</Empty>}
      />
      {ended.length > ENDED_SHOWN && (
        <Text size="sm" c="dimmed" mt="xs">
          <Plural
            value={{ count: ended.length - ENDED_SHOWN }}
            one="# earlier task not shown."
            other="# earlier tasks not shown."
          />
        </Text>
      )}
    </>
  );
}
