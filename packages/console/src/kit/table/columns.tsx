import type { ReactNode } from 'react';
import { Email } from '../controls/email.tsx';
import { Moment } from '../controls/moment.tsx';
import { Status } from '../controls/status.tsx';
import { Name } from '../text/name.tsx';
import { grouped } from '../text/words.ts';
import type { Column } from './column.ts';

/** The fields of a row that have such values. */
type FieldOf<T, V> = { [K in keyof T]-?: T[K] extends V ? K : never }[keyof T] & string;

/** The differences from other columns of the kind. */
interface Different<T> extends Partial<Omit<Column<T>, 'id' | 'header'>> {
  /** Shown without a value. */
  none?: string;
}

/** Returns a column for a field, or for a value of each row. It shows and exports the value. */
interface ColumnOf<V> {
  <T>(id: string, header: string, of: (row: T) => V, different?: NoInfer<Different<T>>): Column<T>;
  <T>(id: FieldOf<T, V>, header: string, different?: NoInfer<Different<T>>): Column<T>;
}

interface Kind<V> extends Pick<Column<never>, 'right'> {
  /** Default: the value. */
  csv?: (value: V) => ReturnType<NonNullable<Column<never>['csv']>>;
}

/** Declares a kind of columns by how they show and export a value. */
export const columnOf =
  <V,>(show: (value: V, none: string | undefined) => ReactNode, kind: Kind<V> = {}): ColumnOf<V> =>
  <T,>(id: string, header: string, of?: ((row: T) => V) | Different<T>, last?: Different<T>): Column<T> => {
    const { csv = (value) => value as string, ...aligned } = kind;
    const [read, different] =
      typeof of === 'function' ? [of, last] : [(row: T) => row[id as keyof T] as V, of];
    const { none, ...own } = different ?? {};
    const cell = (row: T) => show(read(row), none);
    return { id, header, ...aligned, cell, csv: (row) => csv(read(row)), ...own };
  };

type Drawn<T> = Column<T>['cell'];
type Others<T> = Omit<Different<T>, 'cell' | 'none'>;

/** A column that draws a cell of its own, or has words of ours. */
export function cell<T>(id: string, header: string, draw: Drawn<T>): Column<T>;
export function cell<T>(id: string, header: string, others: NoInfer<Others<T>>, draw: Drawn<T>): Column<T>;
export function cell<T>(
  id: string,
  header: string,
  ...[first, draw]: [Drawn<T>] | [Others<T>, Drawn<T>]
): Column<T> {
  return typeof first === 'function'
    ? { id, header, cell: first }
    : { id, header, ...first, cell: draw as Drawn<T> };
}

type Text = string | null | undefined;

export const text = columnOf<Text | number>((value, none = '') => value ?? none);
/** A name that comes from a system, or that somebody typed. */
export const name = columnOf<Text>((value, none = '') => (value == null ? none : <Name of={value} />));
/** The name of the row, which the table compares with those of the others. */
export const title = columnOf<string>((value) => (
  <strong>
    <Name of={value} />
  </strong>
));
export const email = columnOf<Text>((value, none = '') => (value == null ? none : <Email of={value} />));
export const status = columnOf<string>((value) => <Status of={value} />);
export const count = columnOf<number>((value) => grouped(value), { right: true });
export const moment = columnOf<Text>((value, none) => (
  <Moment at={value} {...(none === undefined ? {} : { none })} />
));

/** A code of the API, shown as its word. The export has the code. */
export function code<T, K extends keyof T & string>(
  id: K,
  header: string,
  words: ((code: T[K]) => string) | Readonly<Record<T[K] & string, string>>,
  different: NoInfer<Omit<Different<T>, 'none'>> = {},
): Column<T> {
  const word = typeof words === 'function' ? words : (code: T[K]) => words[code as T[K] & string];
  return { id, header, cell: (row) => word(row[id]), csv: (row) => row[id] as string | null, ...different };
}
