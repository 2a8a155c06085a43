import { TextLink } from '../../parts/links.tsx';
import { Status } from '../../parts/status.tsx';
import type { Column } from '../../parts/table-view.tsx';
import { personName } from '../../parts/words.ts';
import classes from './people.module.css';
import type { Person } from './person.ts';

/** Two people who may be the same. */
interface Pair {
  people: Person[];
}

export const pairId = ({ people }: Pair) => people.map(({ external_uuid }) => external_uuid).join();

/** "Ada Lovelace and ada@acme.example" */
export const pairName = ({ people }: Pair) => people.map(personName).join(' and ');

/** The columns with the two people of a pair. */
export const TWINS: Column<Pair>[] = [twin('one', 'Person', 0), twin('other', 'Other person', 1)];

function twin(id: string, header: string, of: 0 | 1): Column<Pair> {
  return {
    id,
    header,
    cell: ({ people }) => <Twin person={people[of] as Person} />,
    csv: ({ people }) => people[of]?.email,
  };
}

function Twin({ person }: { person: Person }) {
  return (
    <span className={classes.twin}>
      <TextLink to="/people/$userId" params={{ userId: person.external_uuid }}>
        {personName(person)}
      </TextLink>
      <span className={classes.about}>{person.email}</span>
      {person.status === 'deactivated' && <Status of={person.status} />}
    </span>
  );
}
