import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { Empty } from '../controls/empty.tsx';
import { PageHeader } from '../controls/page-header.tsx';
import { DataTable, type DataTableProps } from './data-table.tsx';
import { type Declared, isFiltered, ListFilters } from './list-filters.tsx';

interface EmptyWords {
  /** "No apps yet" */
  title: string;
  /** One sentence on what to do next. */
  text?: ReactNode;
  /** The buttons to do it. */
  actions?: ReactNode;
}

interface Addressed {
  page?: number | undefined;
  sort?: string | undefined;
}

interface Props<T, At extends Addressed>
  extends Omit<DataTableProps<T>, 'page' | 'onPage' | 'sort' | 'onSort' | 'empty'> {
  /** The page's part of the address, and the function that changes it. */
  address: readonly [at: At, go: (change: Partial<At>) => void];
  filters?: Declared<At>;
  /** All sort keys that the address can have. */
  sorts?: readonly At['sort'][];
  /** Between the filters and the table. */
  note?: ReactNode;
  empty: EmptyWords;
  /** Replaces `empty` if a filter is set. */
  unmatched?: EmptyWords;
}

/** A list with its filters, as the address of its page says. */
export function ListTable<T extends RowData, At extends Addressed>(props: Props<T, At>) {
  const { address, filters = [], sorts, note, empty, unmatched = empty, ...table } = props;
  const [at, go] = address;
  const change = (part: Addressed) => go(part as Partial<At>);
  const { text, ...words } = isFiltered(at, filters) ? unmatched : empty;
  return (
    <>
      {filters.length > 0 && <ListFilters at={at} go={go} declared={filters} />}
      {note}
      <DataTable
        {...table}
        page={at.page}
        onPage={(page) => change({ page })}
        {...(sorts && {
          sort: at.sort,
          onSort: (by: string | undefined) => change({ sort: sorts.find((one) => one === by) }),
        })}
        empty={<Empty {...words}>{text}</Empty>}
      />
    </>
  );
}

interface PageProps<T, At extends Addressed>
  extends Partial<Pick<Props<T, At>, 'label'>>,
    Omit<Props<T, At>, 'label'> {
  /** "Accounts" */
  title: string;
  /** One line under the title. */
  about?: ReactNode;
  /** A link to the parent page. */
  above?: ReactNode;
  /** Buttons beside the title. */
  buttons?: ReactNode;
  /** Between the title and the filters. */
  top?: ReactNode;
  /** Below the list: dialogs, and other parts of the page. */
  children?: ReactNode;
}

/** A page that is a list. */
export function ListPage<T extends RowData, At extends Addressed>(props: PageProps<T, At>) {
  const { title, about, above, buttons, top, children, ...list } = props;
  return (
    <>
      <PageHeader title={title} about={about} above={above} actions={buttons} />
      {top}
      <ListTable label={title} {...list} />
      {children}
    </>
  );
}
