import type { ComboboxItem } from '@mantine/core';
import { Name } from '../kit/text/name.tsx';
import { Avatar } from './avatar.tsx';
import classes from './person.module.css';

/** A person as a field offers them. */
export interface OfferedPerson {
  id: string;
  /** The email if the person has no name. */
  name: string;
  email: string;
}

/** Returns the text of a person in the field, once they are selected. */
export const labelOfOffered = ({ name, email }: OfferedPerson) =>
  name === email ? name : `${name} (${email})`;

/** Returns the options of a field that selects among people, and the names to compare. An option has the initials, the name and the email. */
export function optionsOf(people: readonly OfferedPerson[]) {
  const known = new Map(people.map((person) => [person.id, person]));
  return {
    data: people.map((person) => ({ value: person.id, label: labelOfOffered(person) })),
    names: people.flatMap(({ name, email }) => [name, email]),
    renderOption: ({ option: { value, label } }: { option: ComboboxItem }) => {
      const { id, name, email } = known.get(value) ?? { id: value, name: label, email: label };
      return (
        <span className={classes.person}>
          <Avatar name={name} of={id} /> <Name of={name} />
          {name !== email && (
            <>
              {' ('}
              <Name of={email} />)
            </>
          )}
        </span>
      );
    },
  };
}
