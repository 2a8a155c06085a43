import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.css';
import { asIs, type Field } from './field.ts';
import type { Labeled } from './text-fields.tsx';

/** A password or another secret. Nobody sees it in a comparison, and requests have it as it was typed. */
export const password = (
  props: Labeled<PasswordInputProps>,
): Field<string, string, Partial<PasswordInputProps>> => ({
  ...asIs(props.label, ''),
  control: (input) => <PasswordInput {...props} {...input} />,
});
