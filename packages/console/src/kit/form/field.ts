import type { GetInputPropsReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { Row } from './edits.ts';

/** The properties that a form gives to the control of a field. */
export type Input = GetInputPropsReturnType & { disabled?: boolean; 'data-autofocus'?: boolean };

/** A field of a form, with a value T in the form, B in requests, and properties P that its control may also get from the page. */
export interface Field<T, B = T, P = object> {
  label: string;
  /** The value for a new thing, and the value of a field that the API has as null. */
  initial: T;
  /** Turns a value of the API into one of the form. */
  read(stored: unknown): T;
  write(value: T): B;
  /** Shows the value if somebody else has changed it, too. Secrets have none. */
  show?(value: T): ReactNode;
  /** Absent if the page draws the field. */
  control?(input: Input & P): ReactNode;
  type?: 'checkbox';
}

export type FieldSet = Readonly<Record<string, Field<unknown>>>;
/** The values of fields in the form. */
export type Values<F extends FieldSet> = { [K in keyof F]: F[K]['initial'] };
/** The values of fields in a request. */
export type Body<F extends FieldSet> = { [K in keyof F]: ReturnType<F[K]['write']> };
/** The values of fields as the API sends them. A field without a value gets its initial one. */
export type Stored<F extends FieldSet> = { [K in keyof F]?: unknown };

/** The parts of a field whose value is the same in the form and in requests. */
export const asIs = <T>(label: string, initial: T) => ({
  label,
  initial,
  read: (stored: unknown) => stored as T,
  write: (value: T) => value,
});

/** Makes a field whose empty value is null in requests. */
export const orNull = <T, B, P>(field: Field<T, B, P>): Field<T, B | null, P> => ({
  ...field,
  write: (value) => {
    const written = field.write(value);
    return [value, written].some((one) => one === '' || (Array.isArray(one) && one.length === 0))
      ? null
      : written;
  },
});

/** Makes a field whose value the API never sends, so that nothing can be compared. */
export const secret = <T, B, P>({ show: _, ...field }: Field<T, B, P>): Field<T, B, P> => field;

const mapped = <R>(fields: FieldSet, of: (field: Field<unknown>, name: string) => unknown) =>
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
