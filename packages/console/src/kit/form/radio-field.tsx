import { Group, Radio, Stack } from '@mantine/core';
import '@mantine/core/styles/Radio.css';
import type { ReactNode } from 'react';
import { labelIn, type Option } from './choice-fields.tsx';
import { asIs, type Field } from './field.ts';

interface Props<U extends string, I> {
  label: string;
  description?: ReactNode;
  data: readonly Option<U>[];
  initial: I;
  /** Whether the buttons stand side by side. */
  inline?: boolean;
  /** Whether a dialog with the field focuses its first button. */
  autofocus?: boolean;
}

/** One of a few values, as radio buttons. `initial` may be empty. */
export const radios = <U extends string, I extends U | ''>({
  data,
  initial,
  inline = false,
  autofocus = false,
  ...props
}: Props<U, I>): Field<U | I> => ({
  ...asIs<U | I>(props.label, initial),
  show: (value) => labelIn(data, value),
  control: (input) => {
    const buttons = data.map((one, index) => (
      <Radio key={one.value} {...one} {...(autofocus && index === 0 ? { 'data-autofocus': true } : {})} />
    ));
    return (
      <Radio.Group {...props} {...input}>
        {inline ? (
          <Group gap="md" mt={4}>
            {buttons}
          </Group>
        ) : (
          <Stack gap={6} mt={4}>
            {buttons}
          </Stack>
        )}
      </Radio.Group>
    );
  },
});
