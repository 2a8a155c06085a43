import { t } from '@lingui/core/macro';
import { Email } from '../../kit/controls/email.tsx';
import { Status } from '../../kit/controls/status.tsx';
import * as column from '../../kit/table/columns.tsx';
import { listed } from '../../kit/text/listed.ts';
import { personName } from '../../kit/text/words.ts';
import { PersonLink } from '../../people/person.tsx';
import classes from './people.module.css';
import type { Person } from './person.ts';

/** Two people who may be the same. */
interface Pair {
  people: Person[];
}

export const pairId = ({ people }: Pair) => people.map(({ external_uuid }) => external_uuid).join();

/** "Ada Lovelace and ada@acme.example" */
export const pairName = ({ people }: Pair) => listed(people.map(personName));

const twin = (id: string, header: string, of: 0 | 1) =>
  column.cell(id, header, { csv: ({ people }) => people[of]?.email }, ({ people }: Pair) => (
    <Twin person={people[of] as Person} />
  ));

/** The columns with the two people of a pair. */
export const TWINS = [twin('one', t`Person`, 0), twin('other', t`Other person`, 1)];

function Twin({ person }: { person: Person }) {
  return (
    <span className={classes.twin}>
      <PersonLink of={person} />
      <Email of={person.email} />
      {person.status === 'deactivated' && <Status of={person.status} />}
    </span>
  );
}
