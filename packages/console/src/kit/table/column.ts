import type { RowSelectionState } from '@tanstack/react-table';
import type { ReactNode } from 'react';

export interface Column<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** The API's sort key, if the API can sort by this column. */
  sort?: string;
  /** Aligns numbers to the right. */
  right?: boolean;
  /** The header takes two lines if the table has little space. */
  wraps?: boolean;
  /** Takes the space that the other columns leave. */
  fill?: boolean;
  /** The cell breaks its text instead of cutting it, where rows have one line. */
  whole?: boolean;
  /** The first cell has a link of its own, instead of the one to the page that the row opens. */
  linked?: boolean;
  /** On a phone, rows have two lines: the title, and below it the details. Default: the first column, and the second. */
  phone?: 'title' | 'detail';
  /** The value in an export. Without it, the column is not exported. */
  csv?: (row: T) => string | number | boolean | null | undefined;
}

export interface TableViewProps<T> {
  /** "Accounts" */
  label: string;
  /** Lets people arrange the table. This browser keeps the arrangement under this name. */
  name?: string;
  columns: readonly Column<T>[];
  /** undefined while they load for the first time. */
  rows: readonly T[] | undefined;
  /** Default: its `external_uuid` or `id`. */
  rowId?: ((row: T) => string) | undefined;
  /** A row's name, for its checkbox. */
  rowName?: ((row: T) => string) | undefined;
  /** The names in a row that may look like those of other rows. Default: the exported value of the first column. */
  compared?: ((row: T) => readonly string[]) | undefined;
  /** The address that a row opens, if any. The first cell links to it. */
  href?: ((row: T) => string | undefined) | undefined;
  selection?: { value: RowSelectionState; set: (next: RowSelectionState) => void };
  /** The current sort key: "name", or "-name" for descending. */
  sort?: string | undefined;
  onSort?: ((sort: string | undefined) => void) | undefined;
  /** Groups rows under titles. */
  group?: ((row: T) => { id: string; title: ReactNode }) | undefined;
  /** Shortcuts for the focused row. If the function returns true, the focus moves to the next row that is `due`. */
  keys?: Readonly<Record<string, (row: T) => boolean>>;
  /** Whether a shortcut moves the focus to this row. Default: to any. */
  due?: ((row: T) => boolean) | undefined;
  /** Whether these are old rows while new ones load. */
  stale?: boolean;
  /** Whether rows are missing at the end. */
  hasMore?: boolean;
  /** Shown if there are no rows. */
  empty: ReactNode;
}

/** Returns the id of a row of the API. */
export function idOf(row: object): string {
  const { id, external_uuid: found = id } = row as { external_uuid?: string; id?: string };
  // Rows with the same id would be selected together.
  if (found === undefined) throw new Error('A table needs the id of each row.');
  return found;
}
