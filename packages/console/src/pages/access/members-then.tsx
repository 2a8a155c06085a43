import { plural, t } from '@lingui/core/macro';
import { csvAddress, list } from '../../api/client.ts';
import { isCertainAt } from '../../history/bounds.ts';
import { LostThatDay } from '../../history/came-and-went.tsx';
import { AroundTime, Certainty } from '../../history/certainty.tsx';
import { addressAt, type Past, useCoverage } from '../../history/past.ts';
import { NothingThen, PastBanner } from '../../history/past-banner.tsx';
import { grantedBy } from '../../history/period-drawer.tsx';
import { periodList } from '../../history/period-list.ts';
import { accountLabel, type Period } from '../../history/periods.ts';
import { Email } from '../../kit/controls/email.tsx';
import * as column from '../../kit/table/columns.tsx';
import { CursorTable, useCursorList } from '../../kit/table/cursor-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonName } from '../../people/person.tsx';
import { type Entitlement, entitlementName } from './entitlement.ts';

interface Props {
  of: Entitlement;
  at: Past;
  go: (change: Past) => void;
}

/** The accounts that had a group or license at an earlier time. */
export function MembersThen({ of, at, go }: Props) {
  const { as_of = '', known_at } = at;
  const { app, slug, id, type } = of;
  const filter = { app: app.external_uuid, slug, resource: id, from: as_of, to: as_of, known_at };
  const title = entitlementName(of);
  const state = useCursorList(periodList(filter));
  const coverage = useCoverage(
    list('/api/resources/', { query: { app: app.external_uuid, slug, id, as_of, known_at } }),
  );
  const columns: Column<Period>[] = [
    column.cell('account', t`Account`, { phone: 'title' }, ({ account }) => (
      <Email of={accountLabel(account)} />
    )),
    column.cell('user', t`Person`, { phone: 'detail' }, ({ user }) => <PersonName id={user} />),
    column.cell('granted_by', t`Granted by`, { phone: 'detail' }, (period) => (
      <Name of={grantedBy(period) ?? ''} />
    )),
    column.cell('certainty', t`Seen`, ({ bounds }) => (
      <Certainty of={isCertainAt(bounds, as_of) ? 'certain' : 'possible'} bounds={bounds} />
    )),
  ];
  return (
    <>
      <PastBanner at={at} go={go} coverage={coverage} />
      <AroundTime value={coverage}>
        <CursorTable
          label={t`Accounts with ${title}`}
          counted={(n) => plural(n, { one: '# account', other: '# accounts' })}
          state={state}
          columns={columns}
          href={({ account }) => addressAt(`/accounts/${account.id}`, at)}
          csv={csvAddress('/api/history/access/', filter)}
          empty={
            <NothingThen
              at={at}
              coverage={coverage}
              none={type === 'group' ? t`No accounts with this group` : t`No accounts with this license`}
            />
          }
        />
      </AroundTime>
      {as_of !== '' && (
        <LostThatDay of={{ app: app.external_uuid, slug, resource: id }} at={{ as_of, known_at }} />
      )}
    </>
  );
}
