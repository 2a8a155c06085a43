import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { Field } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { AppName } from './app-name.tsx';
import { AppPicker } from './app-picker.tsx';
import { AppsPicker } from './apps-picker.tsx';

interface Props {
  label: string;
  description?: ReactNode;
}

/** A field for an app. Without a value, it means all apps. */
export const app = (props: Props): Field<string | null> => ({
  label: props.label,
  initial: null,
  read: String,
  write: (id) => id,
  show: (id) => (id === null ? t`All apps` : <AppName id={id} />),
  control: (input) => <AppPicker {...props} {...picker(input)} />,
});

/** A field for several apps. */
export const apps = (props: Props): Field<string[]> => ({
  label: props.label,
  initial: [],
  read: (ids) => ids as string[],
  write: (ids) => ids,
  show: (ids) =>
    ids.map((id) => (
      <div key={id}>
        <AppName id={id} />
      </div>
    )),
  control: (input) => <AppsPicker {...props} {...picker(input)} />,
});
