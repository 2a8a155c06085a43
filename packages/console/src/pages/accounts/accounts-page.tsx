import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { appColumn } from '../../apps/app-column.tsx';
import { AccountsThen } from '../../history/accounts-then.tsx';
import { PastControls } from '../../history/past-controls.tsx';
import { ActionDialog } from '../../kit/action/action-dialog.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { PageHeader } from '../../kit/controls/page-header.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Selection } from '../../kit/table/data-table.tsx';
import { asked, ListFilters } from '../../kit/table/list-filters.tsx';
import { ListPage } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personColumn } from '../../people/person-columns.tsx';
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
  column.text('name', t`Account`, accountName, { phone: 'title' }),
  column.email('email', t`Email`, { sort: 'email' }),
  appColumn('app', t`App`, ({ app }) => app.name, { phone: 'detail' }),
  column.status('status', t`Status`, { phone: 'detail' }),
  personColumn('user', t`Person`, ({ person }) => person),
  column.text('memberships', t`Groups`, ({ memberships }) => count(memberships), {
    right: true,
    csv: ({ memberships }) => names(memberships),
  }),
  column.text('assignments', t`Licenses`, ({ assignments }) => count(assignments), {
    right: true,
    csv: ({ assignments }) => names(assignments),
  }),
  column.moment('last_seen_at', t`Last seen`),
  ...detailColumns,
];

/** Details have no history. */
const datedColumns = columns.filter((column) => !detailColumns.includes(column));

export function AccountsPage() {
  const [at, go] = useAddress(accountsSearch);
  const past = (
    <PastControls of={{ app: at.app, user: at.app === undefined ? at.user : undefined }} at={at} go={go} />
  );
  if (at.as_of === undefined) return <AccountsNow past={past} />;
  return (
    <>
      <PageHeader title={t`Accounts`} about={t`Accounts in every app, at an earlier time.`} />
      {past}
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

function AccountsNow({ past }: { past: ReactNode }) {
  const [at, go] = useAddress(accountsSearch);
  const { manages, readsAll } = useMe();
  // The state is kept here because the buttons disappear when the selection is cleared.
  const [job, setJob] = useState<Bulk<Account, CreatedTask>>();
  const declared = accountFilters(readsAll);
  const { q, ...query } = asked(at, declared);
  const { sort } = at;
  return (
    <ListPage
      title={t`Accounts`}
      top={past}
      about={
        readsAll
          ? t`Accounts in every app, as of the latest sync of each app.`
          : t`Your accounts in this organization's apps.`
      }
      address={[at, go]}
      filters={declared}
      counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
      list={list('/api/accounts/', { query: { search: q, ...query, sort } })}
      columns={columns}
      rowName={(account) => t`${{ account: accountName(account) }} in ${{ app: account.app.name }}`}
      href={({ external_uuid }) => `/accounts/${external_uuid}`}
      sorts={SORTS}
      csv="accounts"
      actions={
        manages && ((selection) => <Actions of={selection} begin={setJob} leaving={at.of_leavers === true} />)
      }
      empty={{
        title: t`No accounts yet`,
        text: readsAll
          ? t`Run the first sync of an app to import its accounts.`
          : t`Request access to an app to get an account.`,
      }}
      unmatched={{
        title: t`No accounts match these filters`,
        text: t`Clear the filters to see all accounts.`,
      }}
    >
      <BulkJob job={job} close={() => setJob(undefined)} />
    </ListPage>
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
                {asked.effect} {t`Gatehouse creates a task for each account.`}
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
