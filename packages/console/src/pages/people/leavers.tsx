import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { OpenHolds } from '../../holds/open-holds.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { Email } from '../../kit/controls/email.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import { DataTable, type Selection } from '../../kit/table/data-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { PersonLink } from '../../people/person.tsx';
import type { CreatedTask } from '../../tasks/tasks-created.ts';
import { RemovalState } from '../../tasks/under-way.tsx';
import { type Leaver, type LeaverAccount, leaverAccountName as nameOf } from './leaver-account.ts';
import classes from './people.module.css';
import { RemoveLeavers } from './remove-leavers.tsx';
import { peopleSearch } from './search.ts';

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
          {account.removals.map((removal) => (
            <div key={removal.task} className={classes.removal}>
              <RemovalState of={removal} />
            </div>
          ))}
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
      <OpenHolds />
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
          ? { actions: (selection: Selection<Leaver>) => <RemoveLeavers of={selection} begin={setJob} /> }
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
