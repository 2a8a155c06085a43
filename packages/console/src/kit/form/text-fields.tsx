import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { localInput, localTime } from '../text/words.ts';
import { asIs, type Field } from './field.ts';
import { NameTags } from './name-tags.tsx';

type Labeled<P> = Omit<P, 'label' | 'value' | 'onChange'> & { label: string; 'data-autofocus'?: boolean };

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
  read: (stored) => localInput(String(stored)),
  write: (value) => (value === '' ? '' : new Date(value).toISOString()),
  show: (value) => (value === '' ? '' : localTime(new Date(value))),
});

/** Several names that people type. */
export const tags = ({ change = (names) => names, ...props }: TagsProps): Field<string[]> => ({
  ...asIs<string[]>(props.label, []),
  show: (value) => value.join(', '),
  control: ({ onChange, ...input }) => (
    <NameTags {...props} {...input} onChange={(names) => onChange(change(names))} />
  ),
});

interface TagsProps {
  label: string;
  description?: string;
  /** Corrects the names while somebody types. */
  change?: (names: string[]) => string[];
}
