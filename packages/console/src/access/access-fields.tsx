import { asIs, type Field } from '../kit/form/field.ts';
import { picker } from '../kit/form/form.ts';
import type { Chosen } from './chosen.ts';
import { HeldPicker, ResourcePicker } from './resource-picker.tsx';

interface Props {
  label: string;
  description?: string;
}

/** Groups and licenses of an app, without those that an account already has. */
export const resources = (
  props: Props,
): Field<Chosen[], Chosen[], Partial<Props> & { appId: string; held?: readonly Chosen[] }> => ({
  ...asIs<Chosen[]>(props.label, []),
  control: (input) => <ResourcePicker {...props} {...picker(input)} />,
});

/** Some of the groups and licenses that an account has. */
export const held = (props: Props): Field<Chosen[], Chosen[], { held: readonly Chosen[] }> => ({
  ...asIs<Chosen[]>(props.label, []),
  control: (input) => <HeldPicker {...props} {...picker(input)} />,
});
