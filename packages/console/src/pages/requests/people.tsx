import { Fragment, type ReactNode } from 'react';
import { useMe } from '../../api/me.ts';
import { Email } from '../../kit/controls/email.tsx';
import { personName } from '../../kit/text/words.ts';
import { PersonLabel, PersonLink } from '../../people/person.tsx';
import classes from './people.module.css';
import type { Ticket } from './ticket.ts';

type Named = Ticket['user'];

/** A person in a sentence: their initials and name, as a link for roles that can read people. */
export const Person = ({ of: person }: { of: Named }) => <PersonOrLink of={person} inText />;

function PersonOrLink({ of: person, inText = false }: { of: Named; inText?: boolean }) {
  const { readsAll } = useMe();
  return readsAll ? <PersonLink of={person} inText={inText} /> : <PersonLabel of={person} />;
}

/** A person with their email below. Has no link, for rows and buttons that lead elsewhere. */
export const PersonCell = ({ of: person }: { of: Named }) => (
  <span className={classes.lines}>
    <PersonLabel of={person} />
    <EmailOf person={person} />
  </span>
);

/** A person with their email below. */
export const PersonWithEmail = ({ of: person }: { of: Named }) => (
  <span className={classes.lines}>
    <PersonOrLink of={person} />
    <EmailOf person={person} />
  </span>
);

/** Nothing for a person without a name, whom their email names. */
const EmailOf = ({ person }: { person: Named }) =>
  personName(person) === person.email ? null : <Email of={person.email} />;

interface ListProps<T extends Named> {
  of: readonly T[];
  format: Intl.ListFormat;
  each?: (person: T) => ReactNode;
}

/** "Ada Lovelace and Grace Hopper", with initials and links. */
export function PeopleList<T extends Named>({ of: people, format, each }: ListProps<T>) {
  const parts = format.formatToParts(people.map((_, index) => String(index)));
  return parts.map(({ type, value }) => {
    const person = type === 'element' ? people[Number(value)] : undefined;
    if (person === undefined) return value;
    return <Fragment key={person.external_uuid}>{each?.(person) ?? <Person of={person} />}</Fragment>;
  });
}
