import { t } from '@lingui/core/macro';
import { EntitlementLink } from '../../access/entitlement-link.tsx';
import { accountLabel } from '../../history/periods.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import * as column from '../../kit/table/columns.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { personIdColumn } from '../../people/person-columns.tsx';
import type { PlannedTask, Skipped } from './plan.ts';

/** A row about an account. */
type Row = Pick<Skipped, 'account' | 'app' | 'user'>;

export const account: Column<Row> = column.cell('account', t`Account`, ({ account: { id, ...named } }) => (
  <TextLink to="/accounts/$accountId" params={{ accountId: id }}>
    <Name of={accountLabel({ id, ...named })} />
  </TextLink>
));
export const person: Column<Row> = personIdColumn('person', t`Person`, ({ user }) => user);
export const app: Column<Row> = column.name('app', t`App`, (row) => row.app.name);

interface RestoredProps {
  of: PlannedTask['resources'][number];
  appId: string;
}

/** A group or license that an account had. */
export const RestoredAccess = ({ of: { entitlement_id, ...named }, appId }: RestoredProps) => (
  <EntitlementLink of={{ ...named, external_uuid: entitlement_id }} appId={appId} />
);
