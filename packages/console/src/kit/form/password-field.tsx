import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import '@mantine/core/styles/PasswordInput.css';
import { asIs, type Field } from './field.ts';

/** A password or another secret. Nobody sees it in a comparison, and requests have it as it was typed. */
export const password = (
  props: Omit<PasswordInputProps, 'label' | 'value' | 'onChange'> & { label: string },
): Field<string, string, Partial<PasswordInputProps>> => ({
  ...asIs(props.label, ''),
  control: (input) => <PasswordInput {...props} {...input} />,
});
