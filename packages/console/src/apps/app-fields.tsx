import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { asIs, type Field } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import { AppName } from './app-name.tsx';
import { AppPicker } from './app-picker.tsx';
import { AppsPicker } from './apps-picker.tsx';

interface Props {
  label: string;
  description?: ReactNode;
}

/** A field for an app. Without a value, it means all apps. */
export const app = (props: Props): Field<string | null, string | null, Partial<Props>> => ({
  ...asIs<string | null>(props.label, null),
  show: (id) => (id === null ? t`All apps` : <AppName id={id} />),
  control: (input) => <AppPicker {...props} {...picker(input)} />,
});

/** A field for several apps. */
export const apps = (props: Props): Field<string[], string[], Partial<Props>> => ({
  ...asIs<string[]>(props.label, []),
  show: (ids) =>
    ids.map((id) => (
      <div key={id}>
        <AppName id={id} />
      </div>
    )),
  control: (input) => <AppsPicker {...props} {...picker(input)} />,
});
