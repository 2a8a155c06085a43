import { t } from '@lingui/core/macro';
import {
  Checkbox,
  type CheckboxProps,
  Group,
  MultiSelect,
  type MultiSelectProps,
  Select,
  type SelectProps,
  Stack,
  type StackProps,
  Switch,
  type SwitchProps,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { asIs, type Field } from './field.ts';

export interface Option<U extends string> {
  value: U;
  label: string;
  description?: string;
}

type Props<P, U extends string> = Omit<P, 'label' | 'data' | 'value' | 'defaultValue' | 'onChange'> & {
  label: string;
  'data-autofocus'?: boolean;
  /** Absent if the options are loaded. */
  data?: readonly Option<U>[];
};

/** Returns the label of an option, or the value if the options have it no longer. */
export const labelIn = (data: readonly Option<string>[], value: string | null) =>
  data.find((one) => one.value === value)?.label ?? value ?? '';

/** One of several values. */
export const select = <U extends string, I extends U | null>({
  data = [],
  initial,
  ...props
}: Props<SelectProps, U> & { initial: I }): Field<U | I, U | I, Partial<SelectProps>> => ({
  ...asIs<U | I>(props.label, initial),
  show: (value) => labelIn(data, value),
  control: (input) => (
    <Select allowDeselect={props.clearable === true} {...props} data={[...data]} {...input} />
  ),
});

const several = <U extends string>(label: string, data: readonly Option<U>[], initial: readonly U[]) => ({
  ...asIs(label, [...initial]),
  show: (value: U[]) => value.map((one) => labelIn(data, one)).join(', '),
});

/** Several of many values. `empty` is the placeholder of an empty field. */
export const multi = <U extends string>({
  data = [],
  empty,
  ...props
}: Props<MultiSelectProps, U> & { empty?: string }): Field<U[], U[], Partial<MultiSelectProps>> => ({
  ...several(props.label, data, []),
  control: (input) => (
    <MultiSelect
      {...props}
      data={[...data]}
      {...(empty !== undefined && input.value.length === 0 ? { placeholder: empty } : {})}
      {...input}
    />
  ),
});

interface ChecksProps<U extends string> {
  label: string;
  description?: ReactNode;
  data?: readonly Option<U>[];
  initial?: readonly U[];
  /** Whether the boxes stand side by side. */
  inline?: boolean;
  stack?: StackProps;
}

/** Several of a few values, as checkboxes. */
export const checks = <U extends string>({
  data = [],
  initial = [],
  inline = false,
  stack = { gap: 6, mt: 4 },
  ...props
}: ChecksProps<U>): Field<U[], U[], { data?: readonly Option<string>[] }> => ({
  ...several(props.label, data, initial),
  control: ({ disabled, data: shown = data, ...input }) => {
    const boxes = shown.map((one) => (
      <Checkbox key={one.value} {...one} {...(disabled === undefined ? {} : { disabled })} />
    ));
    return (
      <Checkbox.Group {...props} {...input}>
        {inline ? (
          <Group gap="lg" mt={4}>
            {boxes}
          </Group>
        ) : (
          <Stack {...stack}>{boxes}</Stack>
        )}
      </Checkbox.Group>
    );
  },
});

const yesOrNo = (label: string, initial: boolean) => ({
  ...asIs(label, initial),
  read: (stored: unknown) => stored === true,
  show: (value: boolean) => (value ? t`Yes` : t`No`),
  type: 'checkbox' as const,
});

type Box<P> = Omit<P, 'label' | 'onChange'> & { label: string; initial?: boolean };

/** A checkbox. */
export const check = ({
  initial = false,
  ...props
}: Box<CheckboxProps>): Field<boolean, boolean, Partial<CheckboxProps>> => ({
  ...yesOrNo(props.label, initial),
  control: (input) => <Checkbox {...props} {...input} />,
});

/** A switch. */
export const toggle = ({
  initial = false,
  ...props
}: Box<SwitchProps>): Field<boolean, boolean, Partial<SwitchProps>> => ({
  ...yesOrNo(props.label, initial),
  control: (input) => <Switch {...props} {...input} />,
});
