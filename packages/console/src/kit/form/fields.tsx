import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';
import { Fragment, type ReactNode } from 'react';
import { editsFrom, type Row } from './edits.ts';
import { type ApiFormOptions, useApiForm } from './form.ts';

/** The properties that a form gives to the control of a field. */
export type Input = GetInputPropsReturnType & { disabled?: boolean; data?: never[] };

/** A field of a form, with a value T in the form and B in requests. */
export interface Field<T, B = T> {
  label: string;
  /** The value for a new thing, and the value of a field that the API has as null. */
  initial: T;
  /** Turns a value of the API into one of the form. */
  read(stored: unknown): T;
  write(value: T): B;
  /** Shows the value if somebody else has changed it, too. Secrets have none. */
  show?(value: T): ReactNode;
  control(input: Input): ReactNode;
  type?: 'checkbox';
}

export type FieldSet = Readonly<Record<string, Field<unknown>>>;
/** The values of fields in the form. */
export type Values<F extends FieldSet> = { [K in keyof F]: F[K]['initial'] };
/** The values of fields in a request. */
export type Body<F extends FieldSet> = { [K in keyof F]: ReturnType<F[K]['write']> };
/** The values of fields as the API sends them. A field without a value gets its initial one. */
export type Stored<F extends FieldSet> = { [K in keyof F]?: unknown };

/** Makes a field whose empty value is null in requests. */
export const orNull = <T, B>(field: Field<T, B>): Field<T, B | null> => ({
  ...field,
  write: (value) => {
    const written = field.write(value);
    return [value, written].some((one) => one === '' || (Array.isArray(one) && one.length === 0))
      ? null
      : written;
  },
});

/** Makes a field whose value the API never sends, so that nothing can be compared. */
export const secret = <T, B>({ show: _, ...field }: Field<T, B>): Field<T, B> => field;

const mapped = <R,>(fields: FieldSet, of: (field: Field<unknown>, name: string) => unknown) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, of(field, name)])) as R;

export const valuesIn = <F extends FieldSet>(fields: F, stored: Stored<F> = {}): Values<F> =>
  mapped(fields, (field, name) => (stored[name] == null ? field.initial : field.read(stored[name])));

export const bodyIn = <F extends FieldSet>(fields: F, values: Values<F>): Body<F> =>
  mapped(fields, (field, name) => field.write(values[name]));

/** Returns the rows to compare if somebody else has changed the same thing. */
export const rowsIn = <F extends FieldSet>(fields: F, values: Values<NoInfer<F>>): Row[] =>
  Object.entries(fields).flatMap(([name, { label, write, show }]) => {
    if (show === undefined) return [];
    const value = write(values[name]);
    // People choose several values in any order.
    return [{ label, value: Array.isArray(value) ? value.toSorted() : value, show: show(values[name]) }];
  });

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Returns the fields that differ from `before`, as a request has them. */
export const changesIn = <F extends FieldSet>(fields: F, values: Values<F>, before: Values<F>) =>
  Object.fromEntries(
    Object.entries(bodyIn(fields, values)).filter(([name]) => !isSame(values[name], before[name])),
  ) as Partial<Body<F>>;

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

export interface FieldsForm<F extends FieldSet> {
  fields: F;
  form: UseFormReturnType<Values<F>>;
  locked: boolean;
}

export interface FieldsProps<F extends FieldSet> {
  of: FieldsForm<F>;
  /** The fields to show, in this order. All of them if absent. */
  only?: readonly ((keyof F & string) | false)[];
  /** Properties of controls that depend on other values, by field. */
  props?: { [K in keyof F]?: Record<string, unknown> };
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
    const disabled = of.locked ? { disabled: true } : {};
    return <Fragment key={name}>{field.control({ ...input, ...disabled, ...props[name] })}</Fragment>;
  });
}
