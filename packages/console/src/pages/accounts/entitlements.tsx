import { t } from '@lingui/core/macro';
import { type Held, heldBy, heldKey, typeWords, whyHeld } from '../../access/held.ts';
import { Through } from '../../access/through.tsx';
import { Why } from '../../access/why.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import { Moment } from '../../kit/controls/moment.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import type { Account } from './account.ts';

const columns: Column<Held>[] = [
  {
    id: 'name',
    header: t`Name`,
    phone: 'title',
    cell: ({ name, id, via, account }) => (
      <>
        {name || id}
        <Through appId={account.app.external_uuid} via={via} />
      </>
    ),
  },
  { id: 'type', header: t`Type`, phone: 'detail', cell: typeWords },
  { id: 'since', header: t`Since`, cell: ({ granted_at }) => <Moment at={granted_at} /> },
  { id: 'why', header: t`Why`, phone: 'detail', cell: (held) => <Why of={whyHeld(held)} /> },
];

/** The groups and licenses of an account, and why it has each. */
export const Entitlements = ({ account }: { account: Account }) => (
  <TableView
    label={t`Groups and licenses`}
    columns={columns}
    rows={heldBy(account)}
    rowId={heldKey}
    empty={<Empty title={t`This account has no groups or licenses`} />}
  />
);
