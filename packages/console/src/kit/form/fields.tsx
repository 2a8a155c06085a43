import { Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { Fragment, type SubmitEvent } from 'react';
import { editsFrom, type Row } from './edits.ts';
import { type Body, bodyIn, type FieldSet, rowsIn, type Stored, type Values, valuesIn } from './field.ts';
import { type ApiFormOptions, useApiForm } from './form.ts';

interface Change<F extends FieldSet> {
  version: string | undefined;
  values: Values<F>;
  /** The values with which the form was filled. */
  before: Values<F>;
}

interface Options<F extends FieldSet, D extends object, T>
  extends Omit<ApiFormOptions<Values<F>, T>, 'initialValues' | 'send' | 'edits'> {
  /** The data that the form changes. Without it, the form is for a new thing. */
  of?: D | undefined;
  /** Loads the data again, which others may change at the same time. */
  read?: (() => Promise<D>) | undefined;
  send: (body: Body<F>, change: Change<F>) => Promise<T>;
  /** Returns the values of the fields in the data, unless its properties are the fields. */
  from?: (data: D) => Stored<F>;
  /** The rows to compare, where several fields make one. */
  rows?: (values: Values<F>) => Row[];
  /** Whether the person may only read the fields. */
  locked?: boolean;
}

type NeedsFrom<F extends FieldSet, D> = D extends Record<keyof F, unknown> ? unknown : { from: unknown };

/** A form of declared fields. Show them with `Fields`. See useApiForm. */
export function useFields<F extends FieldSet, T, D extends object = Values<F>>(
  fields: F,
  options: Options<F, D, T> & NeedsFrom<F, D>,
) {
  const { of, read, from, send, rows, locked = false, ...rest }: Options<F, D, T> = options;
  const valuesOf = (data: D) => valuesIn(fields, from === undefined ? (data as Stored<F>) : from(data));
  const rowsOf = (values: Values<F>) => rows?.(values) ?? rowsIn(fields, values);
  const state = useApiForm<Values<F>, T>({
    ...rest,
    initialValues: of === undefined ? valuesIn(fields) : valuesOf(of),
    send: (values, version, before) => send(bodyIn(fields, values), { version, values, before }),
    ...(of === undefined || read === undefined ? {} : { edits: editsFrom(of, read, valuesOf, rowsOf) }),
  });
  return { ...state, fields, locked, values: state.form.values };
}

/** The form that useFields returns. */
export interface FieldsForm<F extends FieldSet> {
  fields: F;
  form: UseFormReturnType<Values<F>>;
  locked: boolean;
  submit: (event: SubmitEvent<HTMLFormElement>) => void;
  changed: boolean;
  pending: boolean;
  failure: string | undefined;
}

export interface FieldsProps<F extends FieldSet> {
  of: FieldsForm<F>;
  /** The fields to show, in this order. All of them if absent. */
  only?: readonly ((keyof F & string) | false)[];
  /** Properties of controls that depend on other values, by field. */
  props?: { [K in keyof F]?: Partial<Parameters<NonNullable<F[K]['control']>>[0]> };
}

/** Shows fields of a form. */
export function Fields<F extends FieldSet>({
  of,
  only = Object.keys(of.fields),
  props = {},
}: FieldsProps<F>) {
  return only.map((name) => {
    const field = name === false ? undefined : of.fields[name];
    if (name === false || field === undefined) return null;
    const { type } = field;
    const input = of.form.getInputProps(name as never, type === undefined ? {} : { type });
    const more: object = { ...(of.locked && { disabled: true }), ...props[name] };
    return <Fragment key={name}>{field.control?.({ ...input, ...more })}</Fragment>;
  });
}

/** Shows fields side by side, with the same width. */
export function FieldsRow<F extends FieldSet>({ of, only }: Required<Pick<FieldsProps<F>, 'of' | 'only'>>) {
  return (
    <Group gap="sm" grow align="flex-start">
      {only.map((name) => (
        <Fields key={String(name)} of={of} only={[name]} />
      ))}
    </Group>
  );
}
