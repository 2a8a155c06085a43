import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { type Item, list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Confirm } from '../../kit/controls/confirm.tsx';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable, type Selection } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { PersonLink } from '../../people/person.tsx';
import { type CreatedTask, tasksCreated } from '../../tasks/tasks-created.ts';
import { createTask } from '../accounts/account.ts';
import classes from './people.module.css';
import { peopleSearch } from './search.ts';

type Leaver = Item<'/api/users/leavers/'>;
type LeaverAccount = Leaver['accounts'][number];

const nameOf = ({ username, email }: LeaverAccount) => username || email || t`Unnamed account`;

const columns: Column<Leaver>[] = [
  {
    id: 'name',
    header: t`Person`,
    cell: (person) => <PersonLink of={person} />,
    csv: personName,
  },
  { id: 'email', header: t`Email`, cell: ({ email }) => <Email of={email} />, csv: ({ email }) => email },
  {
    id: 'status',
    header: t`Status`,
    cell: ({ status }) =>
      status === 'active' ? <Status of="warn" word={t`Past end date`} /> : <Status of={status} />,
    csv: ({ status }) => status,
  },
  {
    id: 'since',
    header: t`Left`,
    cell: ({ inactive_since, end_date }) =>
      inactive_since === null ? (end_date ?? t`Not recorded`) : <Moment at={inactive_since} />,
    csv: ({ inactive_since, end_date }) => inactive_since ?? end_date,
  },
  {
    id: 'accounts',
    header: t`Accounts`,
    cell: ({ accounts }) => <Accounts of={accounts} />,
    csv: ({ accounts }) => accounts.map((account) => `${account.app.name}: ${nameOf(account)}`).join('; '),
  },
];

function Accounts({ of: accounts }: { of: LeaverAccount[] }) {
  return (
    <ul className={classes.accounts}>
      {accounts.map((account) => (
        <li key={account.external_uuid}>
          <TextLink to="/accounts/$accountId" params={{ accountId: account.external_uuid }}>
            {account.app.name}: {nameOf(account)}
          </TextLink>
        </li>
      ))}
    </ul>
  );
}

/** People who have left and still have accounts. */
export function Leavers() {
  const [at, go] = useAddress(peopleSearch);
  const { manages } = useMe();
  const [job, setJob] = useState<Bulk<LeaverAccount, CreatedTask>>();
  return (
    <>
      <DataTable
        label={t`Leavers with access`}
        counted={(n) => plural(n, { one: '# person', other: '# people' })}
        list={list('/api/users/leavers/')}
        columns={columns}
        rowId={({ external_uuid }) => external_uuid}
        rowName={personName}
        page={at.page}
        onPage={(page) => go({ page })}
        csv="leavers-with-access"
        {...(manages
          ? { actions: (selection: Selection<Leaver>) => <Remove of={selection} begin={setJob} /> }
          : {})}
        empty={
          <Empty title={t`No leavers with access`}>
            <Trans>Nobody who is deactivated or past their end date has an account.</Trans>
          </Empty>
        }
      />
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}

function Remove({
  of: selection,
  begin,
}: {
  of: Selection<Leaver>;
  begin: (job: Bulk<LeaverAccount, CreatedTask>) => void;
}) {
  const [asked, ask] = useState(false);
  const count = selection.count;
  const start = async () => {
    begin({
      title: plural(count, {
        one: 'Delete the accounts of # person',
        other: 'Delete the accounts of # people',
      }),
      rows: async () => {
        const rows = await selection.rows();
        selection.clear();
        return rows.flatMap(({ accounts }) => accounts);
      },
      act: (account) => createTask(account, 'delete_account', { reason: t`The person has left.` }),
      outcome: tasksCreated,
      name: (account) => t`${{ account: nameOf(account) }} in ${{ app: account.app.name }}`,
    });
  };
  return (
    <>
      <Button color="red" variant="outline" onClick={() => ask(true)}>
        <Trans>Delete accounts</Trans>
      </Button>
      <Confirm
        opened={asked}
        close={() => ask(false)}
        title={plural(count, {
          one: 'Delete the accounts of # person?',
          other: 'Delete the accounts of # people?',
        })}
        action={t`Delete accounts`}
        type={`delete ${count}`}
        act={start}
      >
        <Trans>
          Each account loses its groups and licenses and is deleted in its app. This cannot be undone.
          Gatehouse creates a task for each account. Accounts that a task already removes are reported.
        </Trans>
      </Confirm>
    </>
  );
}
