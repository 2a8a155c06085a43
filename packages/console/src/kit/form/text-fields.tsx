import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { localInput, localTime } from '../text/words.ts';
import type { Field } from './field.ts';

export type Labeled<P> = Omit<P, 'label' | 'value' | 'onChange'> & {
  label: string;
  'data-autofocus'?: boolean;
};

const written = {
  initial: '',
  read: String,
  write: (value: string) => value.trim(),
  show: (value: string) => value.trim(),
};

/** A line of text. Requests have it without spaces around it. */
export const text = (props: Labeled<TextInputProps>): Field<string, string, Partial<TextInputProps>> => ({
  ...written,
  label: props.label,
  control: (input) => <TextInput {...props} {...input} />,
});

/** Several lines of text. */
export const area = (props: Labeled<TextareaProps>): Field<string, string, Partial<TextareaProps>> => ({
  ...written,
  label: props.label,
  control: (input) => <Textarea {...props} {...input} />,
});

/** A date and time of the person's time zone, which requests have in UTC. */
export const moment = (props: Labeled<TextInputProps>): ReturnType<typeof text> => ({
  ...text({ ...props, type: 'datetime-local' }),
  read: (stored) => (stored === '' ? '' : localInput(String(stored))),
  write: (value) => (value === '' ? '' : new Date(value).toISOString()),
  show: (value) => (value === '' ? '' : localTime(new Date(value))),
});
