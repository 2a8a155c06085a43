import { plural, t } from '@lingui/core/macro';
import { useState } from 'react';
import { list } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { OpenHolds } from '../../holds/open-holds.tsx';
import { useAddress } from '../../kit/browser/address.ts';
import { type Bulk, BulkJob } from '../../kit/controls/bulk-job.tsx';
import { TextLink } from '../../kit/controls/links.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { personName } from '../../kit/text/words.ts';
import { personColumn } from '../../people/person-columns.tsx';
import type { CreatedTask } from '../../tasks/tasks-created.ts';
import { RemovalState } from '../../tasks/under-way.tsx';
import { type Leaver, type LeaverAccount, leaverAccountName as nameOf } from './leaver-account.ts';
import classes from './people.module.css';
import { RemoveLeavers } from './remove-leavers.tsx';
import { peopleSearch } from './search.ts';

const columns: Column<Leaver>[] = [
  personColumn('name', t`Person`, (person) => person, { csv: personName }),
  column.email('email', t`Email`),
  column.cell('status', t`Status`, { csv: ({ status }) => status }, ({ status }) =>
    status === 'active' ? <Status of="warn" word={t`Past end date`} /> : <Status of={status} />,
  ),
  column.cell(
    'since',
    t`Left`,
    { csv: ({ inactive_since, end_date }) => inactive_since ?? end_date },
    ({ inactive_since, end_date }) =>
      inactive_since === null ? (end_date ?? t`Not recorded`) : <Moment at={inactive_since} />,
  ),
  column.cell(
    'accounts',
    t`Accounts`,
    {
      csv: ({ accounts }) => accounts.map((account) => `${account.app.name}: ${nameOf(account)}`).join('; '),
    },
    ({ accounts }) => <Accounts of={accounts} />,
  ),
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
      <ListTable
        address={[at, go]}
        label={t`Leavers with access`}
        counted={(n) => plural(n, { one: '# person', other: '# people' })}
        list={list('/api/users/leavers/')}
        columns={columns}
        rowName={personName}
        csv="leavers-with-access"
        actions={manages && ((selection) => <RemoveLeavers of={selection} begin={setJob} />)}
        empty={{
          title: t`No leavers with access`,
          text: t`Nobody who is deactivated or past their end date has an account.`,
        }}
      />
      <BulkJob job={job} close={() => setJob(undefined)} />
    </>
  );
}
