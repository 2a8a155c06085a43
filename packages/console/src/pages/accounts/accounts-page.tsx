import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { NamedApp } from '../../apps/app-logo.tsx';
import { AccountsThen } from '../../history/accounts-then.tsx';
import { AsOf } from '../../history/as-of.tsx';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable, type Selection } from '../../kit/table/data-table.tsx';
import { asked, isFiltered, ListFilters } from '../../kit/table/list-filters.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { PersonLink } from '../../people/person.tsx';
import { type CreatedTask, tasksCreated } from '../../tasks/tasks-created.ts';
import { type Action, accountName, createTask } from './account.ts';
import { detailColumns } from './account-details.tsx';
import { accountFilters, DATED_FILTERS } from './account-filters.tsx';
import { accountsSearch, SORTS } from './search.ts';

type Account = Item<'/api/accounts/'>;

const count = (refs: Account['memberships']) =>
  Object.values(refs).reduce((sum, { length }) => sum + length, 0);
const names = (refs: Account['memberships']) =>
  Object.values(refs)
    .flat()
    .map(({ id, name }) => name || id)
    .join('; ');

const columns: Column<Account>[] = [
  { id: 'name', header: t`Account`, phone: 'title', cell: accountName, csv: accountName },
  {
    id: 'email',
    header: t`Email`,
    sort: 'email',
    cell: ({ email }) => <Email of={email} />,
    csv: ({ email }) => email,
  },
  {
    id: 'app',
    header: t`App`,
    phone: 'detail',
    cell: ({ app }) => <NamedApp name={app.name} />,
    csv: ({ app }) => app.name,
  },
  {
    id: 'status',
    header: t`Status`,
    phone: 'detail',
    cell: ({ status }) => <Status of={status} />,
    csv: ({ status }) => status,
  },
  {
    id: 'user',
    header: t`Person`,
    cell: ({ person }) => (person === null ? t`Not linked` : <PersonLink of={person} />),
    csv: ({ person }) => person?.email ?? '',
  },
  {
    id: 'memberships',
    header: t`Groups`,
    right: true,
    cell: ({ memberships }) => count(memberships),
    csv: ({ memberships }) => names(memberships),
  },
  {
    id: 'assignments',
    header: t`Licenses`,
    right: true,
    cell: ({ assignments }) => count(assignments),
    csv: ({ assignments }) => names(assignments),
  },
  {
    id: 'last_seen_at',
    header: t`Last seen`,
    cell: ({ last_seen_at }) => <Moment at={last_seen_at} />,
    csv: ({ last_seen_at }) => last_seen_at,
  },
  ...detailColumns,
];

/** Details have no history. */
const datedColumns = columns.filter((column) => !detailColumns.includes(column));

export function AccountsPage() {
  const [at, go] = useAddress(accountsSearch);
  const asOf = <AsOf at={at} go={go} />;
  if (at.as_of === undefined) return <AccountsNow asOf={asOf} />;
  return (
    <>
      <PageHeader title={t`Accounts`} about={t`Accounts in every app, at an earlier time.`} actions={asOf} />
      <AccountsThen
        at={at}
        go={go}
        filter={asked(at, DATED_FILTERS)}
        columns={datedColumns}
        label={t`Accounts`}
        filters={<ListFilters at={at} go={go} declared={DATED_FILTERS} all={accountFilters(true)} />}
      />
    </>
  );
}

function AccountsNow({ asOf }: { asOf: ReactNode }) {
  const [at, go] = useAddress(accountsSearch);
  const { manages, readsAll } = useMe();
  // The state is kept here because the buttons disappear when the selection is cleared.
  const [job, setJob] = useState<Bulk<Account, CreatedTask>>();
  const declared = accountFilters(readsAll);
  const { q, ...query } = asked(at, declared);
  const { sort } = at;
  return (
    <>
      <PageHeader
        title={t`Accounts`}
        actions={asOf}
        about={
          readsAll
            ? t`Accounts in every app, as of the latest sync of each app.`
            : t`Your accounts in this organization's apps.`
        }
      />
      <ListFilters at={at} go={go} declared={declared} />
      <DataTable
        label={t`Accounts`}
        counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
        list={list('/api/accounts/', { query: { search: q, ...query, sort } })}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        rowName={(account) => t`${{ account: accountName(account) }} in ${{ app: account.app.name }}`}
        href={({ external_uuid }) => `/accounts/${external_uuid}`}
        page={at.page}
        onPage={(page) => go({ page })}
        sort={sort}
        onSort={(by) => go({ sort: SORTS.find((one) => one === by) })}
        csv="accounts"
        {...(manages
          ? {
              actions: (selection: Selection<Account>) => (
                <Actions of={selection} begin={setJob} leaving={at.of_leavers === true} />
              ),
            }
          : {})}
        empty={
          isFiltered(at, declared) ? (
            <Empty title={t`No accounts match these filters`}>
              <Trans>Clear the filters to see all accounts.</Trans>
            </Empty>
          ) : (
            <Empty title={t`No accounts yet`}>
              {readsAll
                ? t`Run the first sync of an app to import its accounts.`
                : t`Request access to an app to get an account.`}
            </Empty>
          )
        }
      />
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}

interface BulkAction {
  action: Action;
  /** "Suspend" */
  label: string;
  /** The title of the work: "Suspend 3 accounts". */
  title: (count: number) => string;
  question: (count: number) => string;
  /** The change to make to each account. */
  effect: string;
  destructive?: boolean;
}

const BULK_ACTIONS: readonly BulkAction[] = [
  {
    action: 'suspend_account',
    label: t`Suspend`,
    title: (count) => plural(count, { one: 'Suspend # account', other: 'Suspend # accounts' }),
    question: (count) => plural(count, { one: 'Suspend # account?', other: 'Suspend # accounts?' }),
    effect: t`The accounts cannot be used until they are unsuspended. Existing access is not affected.`,
  },
  {
    action: 'unsuspend_account',
    label: t`Unsuspend`,
    title: (count) => plural(count, { one: 'Unsuspend # account', other: 'Unsuspend # accounts' }),
    question: (count) => plural(count, { one: 'Unsuspend # account?', other: 'Unsuspend # accounts?' }),
    effect: t`The accounts can be used again with their existing access.`,
  },
  {
    action: 'delete_account',
    label: t`Delete`,
    title: (count) => plural(count, { one: 'Delete # account', other: 'Delete # accounts' }),
    question: (count) => plural(count, { one: 'Delete # account?', other: 'Delete # accounts?' }),
    effect: t`Each account loses its groups and licenses and is deleted in its app. This cannot be undone.`,
    destructive: true,
  },
];

/** The buttons for selected accounts. Each creates one task per account. */
function Actions({
  of: selection,
  begin,
  leaving,
}: {
  of: Selection<Account>;
  /** Whether the list has only accounts of people who have left. */
  leaving: boolean;
  begin: (job: Bulk<Account, CreatedTask>) => void;
}) {
  const [asked, ask] = useState<BulkAction>();
  const { count: selected } = selection;
  const start = async ({ action, title }: BulkAction) => {
    begin({
      title: title(selected),
      rows: selection.rows,
      act: (account) =>
        createTask(account, action, action === 'suspend_account' && leaving ? { leaving } : {}),
      outcome: tasksCreated,
      name: (account) => t`${{ account: accountName(account) }} in ${{ app: account.app.name }}`,
    });
    selection.clear();
  };
  return (
    <>
      {BULK_ACTIONS.map((one) => (
        <Button
          key={one.action}
          {...(one.destructive === true ? { color: 'red', variant: 'outline' } : { variant: 'default' })}
          onClick={() => ask(one)}
        >
          {one.label}
        </Button>
      ))}
      <ActionDialog
        of={
          asked && {
            title: asked.question(selected),
            sentence: (
              <>
                {asked.effect} <Trans>Gatehouse creates a task for each account.</Trans>
              </>
            ),
            button: asked.title(selected),
            type: asked.destructive === true ? `delete ${selected}` : undefined,
            request: () => start(asked),
          }
        }
        close={() => ask(undefined)}
      />
    </>
  );
}
