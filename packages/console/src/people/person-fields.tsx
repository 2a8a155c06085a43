import type { ComponentProps, ReactNode } from 'react';
import { asIs, type Field } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { PeoplePicker, PersonName, PersonPicker } from './person.tsx';

interface Props {
  label: string;
  description?: ReactNode;
  required?: boolean;
}

/** A field for a person. */
export const person = (props: Props): Field<string | null, string | null, Partial<Props>> => ({
  ...asIs<string | null>(props.label, null),
  show: (id) => <PersonName id={id} />,
  control: (input) => <PersonPicker {...props} {...picker(input)} />,
});

interface ManyProps extends Props {
  roles?: ComponentProps<typeof PeoplePicker>['roles'];
}

/** A field for several people. */
export const people = (props: ManyProps): Field<string[], string[], Partial<ManyProps>> => ({
  ...asIs<string[]>(props.label, []),
  show: (ids) =>
    ids.map((id) => (
      <div key={id}>
        <PersonName id={id} />
      </div>
    )),
  control: (input) => <PeoplePicker {...props} {...picker(input)} />,
});
