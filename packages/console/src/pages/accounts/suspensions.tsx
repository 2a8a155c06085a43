import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { SuspensionList, suspensionReason, suspensionWords } from '../../access/suspensions.tsx';
import { get, type Item } from '../../api/client.ts';
import { Empty } from '../../kit/controls/empty.tsx';
import { Failure } from '../../kit/controls/failure.tsx';
import { Section } from '../../kit/controls/section.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import type { Account } from './account.ts';

type Suspension = Item<'/api/suspensions/'>;

const columns: Column<Suspension>[] = [
  column.cell('decision', t`Decision`, { phone: 'title' }, suspensionWords),
  column.cell(
    'reason',
    t`Reason`,
    { phone: 'detail' },
    (suspension) => suspensionReason(suspension) ?? t`None`,
  ),
  column.cell('ends', t`Ends`, ({ leaving }) =>
    leaving
      ? t`When the account is unsuspended, or a policy for people who return ends it`
      : t`When the account is unsuspended`,
  ),
  column.moment('since', t`Since`, { phone: 'detail' }),
];

const useSuspensions = (accountId: string) =>
  useQuery(get('/api/suspensions/', { query: { account: accountId, limit: 50 } }));

/** Shows by whom an account is suspended, and why. */
export function Suspensions({ account }: { account: Account }) {
  const found = useSuspensions(account.external_uuid);
  const isSuspended = account.status === 'SUSPENDED' || (account.suspensions ?? []).length > 0;
  if (!isSuspended) return null;
  return (
    <Section title={t`Suspensions`}>
      {found.isError ? (
        <Failure error={found.error} again={() => void found.refetch()} />
      ) : (
        <>
          {account.status !== 'SUSPENDED' && (
            <p>{t`The account is about to be suspended, or that has failed.`}</p>
          )}
          <TableView
            label={t`Suspensions`}
            columns={columns}
            rows={found.data?.results}
            empty={
              <Empty title={t`No decision in force`}>
                {t`The account is about to be unsuspended, or that has failed.`}
              </Empty>
            }
          />
        </>
      )}
    </Section>
  );
}

/** Says which suspensions end when the account is unsuspended by hand. */
export function EndedSuspensions({ accountId }: { accountId: string }) {
  const { data } = useSuspensions(accountId);
  if (data === undefined || data.count === 0) return null;
  return (
    <>
      <p>{t`These suspensions end:`}</p>
      <SuspensionList
        label={t`Suspensions that end`}
        of={data.results.map((suspension) => ({ id: suspension.external_uuid, suspension }))}
      />
    </>
  );
}
