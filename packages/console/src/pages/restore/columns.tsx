import { t } from '@lingui/core/macro';
import { accountLabel } from '../../history/periods.ts';
import { TextLink } from '../../kit/controls/links.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { Name } from '../../kit/text/name.tsx';
import { PersonName } from '../../people/person.tsx';
import type { Skipped } from './plan.ts';

/** A row about an account. */
type Row = Pick<Skipped, 'account' | 'app' | 'user'>;

export const account: Column<Row> = {
  id: 'account',
  header: t`Account`,
  cell: ({ account: { id, ...named } }) => (
    <TextLink to="/accounts/$accountId" params={{ accountId: id }}>
      <Name of={accountLabel({ id, ...named })} />
    </TextLink>
  ),
};
export const person: Column<Row> = {
  id: 'person',
  header: t`Person`,
  cell: ({ user }) => <PersonName id={user} none={t`Not linked`} />,
};
export const app: Column<Row> = { id: 'app', header: t`App`, cell: (row) => <Name of={row.app.name} /> };
