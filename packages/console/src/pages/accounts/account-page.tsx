import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../parts/address.ts';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { History } from '../../parts/history.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Moment } from '../../parts/moment.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Properties } from '../../parts/properties.tsx';
import { Section } from '../../parts/section.tsx';
import { Status } from '../../parts/status.tsx';
import { type Column, TableView } from '../../parts/table-view.tsx';
import { changeWords, doingWords, isOpen } from '../tasks/task.ts';
import { ABOUT_STATUS, type Account, accountName } from './account.ts';
import { AccountActions } from './account-actions.tsx';
import { Decision, Entitlements } from './entitlements.tsx';
import { LinkedPerson } from './linked-person.tsx';
import { type Task, useOrigins } from './origins.ts';
import { accountSearch } from './search.ts';

const taskColumns: Column<Task>[] = [
  { id: 'action', header: 'Task', cell: doingWords },
  { id: 'changes', header: 'What', cell: changeWords },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  { id: 'why', header: 'Why', cell: (task) => <Decision of={task} /> },
  { id: 'created_at', header: 'Made', cell: ({ created_at }) => <Moment at={created_at} /> },
];

export function AccountPage() {
  const { accountId } = useParams({ from: '/in/accounts/$accountId' });
  const account = useQuery(get('/api/accounts/{account_id}/', { path: { account_id: accountId } }));
  if (account.data === undefined) {
    return (
      <>
        <PageHeader title="Account" above={<TextLink to="/accounts">Accounts</TextLink>} />
        {account.isError ? (
          <Failure error={account.error} again={() => void account.refetch()} />
        ) : (
          <Skeleton height={160} />
        )}
      </>
    );
  }
  return <Loaded account={account.data} />;
}

function Loaded({ account }: { account: Account }) {
  const [at, go] = useAddress(accountSearch);
  const { manages, readsAll } = useMe();
  const { tasks, originOf } = useOrigins(account.external_uuid, readsAll);
  const { app, email, username, external_id, status, last_seen_at } = account;
  const set = (ask: typeof at.ask) => go({ ask });
  return (
    <>
      <PageHeader
        title={accountName(account)}
        above={<TextLink to="/accounts">Accounts</TextLink>}
        beside={<Status of={status} />}
        about={`${app.name}. ${ABOUT_STATUS[status] ?? ''}`}
        actions={manages && <AccountActions account={account} ask={at.ask} set={set} />}
      />
      <Section title="Account">
        <Properties
          of={[
            [
              'App',
              <TextLink key="app" to="/apps/$appId" params={{ appId: app.external_uuid }}>
                {app.name}
              </TextLink>,
            ],
            ['Person', <LinkedPerson key="person" account={account} ask={at.ask} set={set} />],
            ['Email', email === '' ? 'none' : email],
            ['User name', username === '' ? 'none' : username],
            ['Id in the app', external_id ?? 'not known yet'],
            ['Last seen', <Moment key="seen" at={last_seen_at} none="not by a sync yet" />],
          ]}
        />
      </Section>
      <Section title="What it has">
        <Entitlements account={account} originOf={originOf} />
      </Section>
      <Section title="Tasks">
        {tasks.isError ? (
          <Failure error={tasks.error} again={() => void tasks.refetch()} />
        ) : (
          <Tasks all={tasks.data?.results} />
        )}
      </Section>
      {readsAll && (
        <Section title="History">
          <History
            of={{ subject_uuid: account.external_uuid }}
            label="History of the account"
            none="Nothing since the first sync of its app."
          />
        </Section>
      )}
    </>
  );
}

const MOST_ENDED = 5;

/** What is still to be done, and the last that was. */
function Tasks({ all }: { all: Task[] | undefined }) {
  const open = all?.filter(isOpen);
  const ended = all?.filter((task) => !isOpen(task)) ?? [];
  const rows = open === undefined ? undefined : [...open, ...ended.slice(0, MOST_ENDED)];
  return (
    <>
      <TableView
        label="Tasks"
        columns={taskColumns}
        rows={rows}
        rowId={({ external_uuid }) => external_uuid}
        href={({ external_uuid }) => `/tasks/${external_uuid}`}
        empty={<Empty title="No task yet">What Gatehouse does about this account stands here.</Empty>}
      />
      {ended.length > MOST_ENDED && (
        <Text size="sm" c="dimmed" mt="xs">
          And {ended.length - MOST_ENDED} that ended earlier.
        </Text>
      )}
    </>
  );
}
