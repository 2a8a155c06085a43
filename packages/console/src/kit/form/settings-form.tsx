import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { FieldSet } from './field.ts';
import { Fields, type FieldsForm, type FieldsProps } from './fields.tsx';
import { Save } from './save.tsx';

interface Props<F extends FieldSet> {
  of: FieldsForm<F>;
  /** The label of the button. */
  label?: string;
  /** See Fields. */
  props?: NonNullable<FieldsProps<F>['props']>;
  /** The content above the fields. */
  about?: ReactNode;
  /** The content instead of all fields. */
  children?: ReactNode;
  /** The content below the button. */
  after?: ReactNode;
}

/** A form on a page of settings. Its button appears after a change. */
export function SettingsForm<F extends FieldSet>({
  of,
  label,
  props = {},
  about,
  children,
  after,
}: Props<F>) {
  const { submit, changed, pending, failure } = of;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {about}
        {children ?? <Fields of={of} props={props} />}
        <Save changed={changed} pending={pending} failure={failure} {...(label !== undefined && { label })} />
        {after}
      </Stack>
    </form>
  );
}
