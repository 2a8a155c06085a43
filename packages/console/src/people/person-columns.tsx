import { t } from '@lingui/core/macro';
import { columnOf } from '../kit/table/columns.tsx';
import { type Named, PersonLink, PersonName } from './person.tsx';

/** A link to a person. The export has the email. */
export const personColumn = columnOf<Named | null>(
  (person, none = t`Nobody`) => (person === null ? none : <PersonLink of={person} />),
  { csv: (person) => person?.email ?? '' },
);

/** The person with an id, as a link for roles that can read people. */
export const personIdColumn = columnOf<string | null>((id, none = t`Nobody`) => (
  <PersonName id={id} none={none} />
));
