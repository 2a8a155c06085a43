import type { ReactNode } from 'react';
import type { Field } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { PeoplePicker, PersonName, PersonPicker } from './person.tsx';

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
}

/** A field for a person. */
export const person = (props: Props): Field<string | null> => ({
  label: props.label,
  initial: null,
  read: String,
  write: (id) => id,
  show: (id) => <PersonName id={id} />,
  control: (input) => <PersonPicker {...props} {...picker(input)} />,
});

/** A field for several people. */
export const people = (props: Props): Field<string[]> => ({
  label: props.label,
  initial: [],
  read: (ids) => ids as string[],
  write: (ids) => ids,
  show: (ids) =>
    ids.map((id) => (
      <div key={id}>
        <PersonName id={id} />
      </div>
    )),
  control: (input) => <PeoplePicker {...props} {...picker(input)} />,
});
