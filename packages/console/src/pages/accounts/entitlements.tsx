import { t } from '@lingui/core/macro';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { type Held, heldBy, heldKey, typeWords, whyHeld } from '../../access/held.ts';
import { Since } from '../../access/since.tsx';
import { Through } from '../../access/through.tsx';
import { Why } from '../../access/why.tsx';
import { Empty } from '../../kit/controls/empty.tsx';
import * as column from '../../kit/table/columns.tsx';
import { type Column, TableView } from '../../kit/table/table-view.tsx';
import type { Account } from './account.ts';

const columns: Column<Held>[] = [
  column.cell('name', t`Name`, { phone: 'title' }, (held) => (
    <>
      <EntitlementLink of={held} appId={held.account.app.external_uuid} />
      <Through appId={held.account.app.external_uuid} via={held.via} />
    </>
  )),
  column.cell('type', t`Type`, { phone: 'detail' }, typeWords),
  column.cell('since', t`Since`, { csv: ({ granted_at }) => granted_at }, (held) => <Since of={held} />),
  column.cell('why', t`Why`, { phone: 'detail' }, (held) => <Why of={whyHeld(held)} />),
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
