import { NumberInput, type NumberInputProps } from '@mantine/core';
import '@mantine/core/styles/NumberInput.css';
import type { Field } from './field.ts';

interface Props extends Omit<NumberInputProps, 'label' | 'value' | 'onChange'> {
  label: string;
  'data-autofocus'?: boolean;
  initial?: number | '';
  /** The number that an empty field gets. */
  instead?: number;
}

/** A whole number, unless `allowDecimal` says otherwise. While somebody types, its value may be text. */
export const number = ({
  initial = '',
  instead,
  ...props
}: Props): Field<number | string, number, Partial<NumberInputProps>> => ({
  label: props.label,
  initial,
  read: Number,
  // Never 0 for an empty field: the API refuses null where it needs a number.
  write: (value) => (value === '' ? (null as never) : Number(value)),
  show: String,
  control: ({ onChange, ...input }) => (
    <NumberInput
      allowDecimal={false}
      {...props}
      {...input}
      onChange={(next) => onChange(instead === undefined ? next : Number(next) || instead)}
    />
  ),
});
