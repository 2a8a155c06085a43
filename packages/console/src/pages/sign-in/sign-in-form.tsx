import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldSet } from '../../kit/form/field.ts';
import { Fields, type FieldsProps } from '../../kit/form/fields.tsx';
import { FormFailure } from '../../kit/form/form-failure.tsx';

interface Props<F extends FieldSet> extends FieldsProps<F> {
  /** The label of the button. */
  action: string;
  /** The content below the button. */
  children?: ReactNode;
}

/** A form of the pages for signing in. */
export function SignInForm<F extends FieldSet>({ action, children, ...fields }: Props<F>) {
  const { submit, pending, failure } = fields.of;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormFailure of={failure} />
        <Fields {...fields} />
        <Button type="submit" size="sm" loading={pending}>
          {action}
        </Button>
        {children}
      </Stack>
    </form>
  );
}
