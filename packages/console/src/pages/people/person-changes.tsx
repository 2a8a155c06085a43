import { plural, t } from '@lingui/core/macro';
import { type Item, list } from '../../api/client.ts';
import { useAddress } from '../../kit/browser/address.ts';
import * as column from '../../kit/table/columns.tsx';
import { ListTable } from '../../kit/table/list-table.tsx';
import type { Column } from '../../kit/table/table-view.tsx';
import { fieldTitle } from '../../kit/text/field-words.ts';
import { labelOf } from '../../people/labels.ts';
import { PersonName } from '../../people/person.tsx';
import classes from './people.module.css';
import { attributeText, type Person } from './person.ts';
import { personSearch } from './search.ts';

type State = Item<'/api/users/{user_id}/history/'>;
type Change = State['changes'][number];

const valueText = (value: unknown) =>
  value === null || value === undefined || value === '' ? t`none` : labelOf(attributeText(value));

function ChangeLine({ of: { field, from, to } }: { of: Change }) {
  const show = (value: unknown) =>
    field === 'manager' && typeof value === 'string' ? <PersonName id={value} /> : valueText(value);
  return (
    <li>
      {fieldTitle(field)}: {show(from)} → {show(to)}
    </li>
  );
}

const lines = ({ changes }: State) =>
  changes
    .map(({ field, from, to }) => `${fieldTitle(field)}: ${valueText(from)} → ${valueText(to)}`)
    .join('; ');

const beginning = ({ began }: State) =>
  began === 'created' ? t`Added` : began === null ? t`First state on record` : t`Changed`;

const columns: Column<State>[] = [
  column.moment('since', t`Since`),
  column.cell('changes', t`Changes`, { csv: (state) => lines(state) || beginning(state) }, (state) =>
    state.changes.length === 0 ? (
      beginning(state)
    ) : (
      <ul className={classes.changes}>
        {state.changes.map((change) => (
          <ChangeLine key={change.field} of={change} />
        ))}
      </ul>
    ),
  ),
  column.moment('ended_at', t`Until`, { none: t`Now` }),
];

/** The changes of a person's profile, newest first. */
export function PersonChanges({ person }: { person: Person }) {
  const [at, go] = useAddress(personSearch);
  return (
    <ListTable
      address={[at, go]}
      label={t`Changes of the profile, newest first`}
      counted={(n) => plural(n, { one: '# state', other: '# states' })}
      list={list('/api/users/{user_id}/history/', { path: { user_id: person.external_uuid } })}
      columns={columns}
      rowId={({ since }) => since}
      csv={t`Changes of ${{ person: person.email }}`}
      empty={{ title: t`No changes on record` }}
    />
  );
}
