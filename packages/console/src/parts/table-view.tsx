import { Checkbox, Skeleton } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import {
  type ColumnDef,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useMemo, useRef } from 'react';
import { linkTo } from './address.ts';
import { useTableKeys } from './table-keys.ts';
import classes from './table-view.module.css';

export interface Column<T> {
  id: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** The API's sort key, if the API can sort by this column. */
  sort?: string;
  /** Aligns numbers to the right. */
  right?: boolean;
  /** The value in an export. Without it, the column is not exported. */
  csv?: (row: T) => string | number | boolean | null | undefined;
}

export interface TableViewProps<T> {
  /** "Accounts" */
  label: string;
  columns: readonly Column<T>[];
  /** undefined while they load for the first time. */
  rows: readonly T[] | undefined;
  rowId: (row: T) => string;
  /** A row's name, for its checkbox. */
  rowName?: (row: T) => string;
  /** The address that a row opens. The first cell links to it. */
  href?: (row: T) => string;
  selection?: { value: RowSelectionState; set: (next: RowSelectionState) => void };
  /** The current sort key: "name", or "-name" for descending. */
  sort?: string | undefined;
  onSort?: ((sort: string | undefined) => void) | undefined;
  /** Groups rows under titles. */
  group?: (row: T) => { id: string; title: ReactNode };
  /** Shortcuts for the focused row. If the function returns true, the focus moves to the next row. */
  keys?: Readonly<Record<string, (row: T) => boolean>>;
  /** Whether these are old rows while new ones load. */
  stale?: boolean;
  /** Shown if there are no rows. */
  empty: ReactNode;
}

const features = tableFeatures({ rowSelectionFeature });
const NONE: readonly never[] = [];
const NO_SELECTION: RowSelectionState = {};

/** A table of given rows; DataTable loads them. `j` and `k` move, Enter opens, `x` selects. */
export function TableView<T extends RowData>(props: TableViewProps<T>) {
  const {
    label,
    columns,
    rowId,
    rowName,
    href,
    selection,
    sort,
    onSort,
    group,
    keys,
    stale = false,
    empty,
  } = props;
  const rows = useGrouped(props.rows, group);
  const navigate = useNavigate();
  const body = useRef<HTMLTableSectionElement>(null);
  useTableKeys(body, (key, at) => {
    const row = rows?.[at];
    return row !== undefined && (keys?.[key]?.(row) ?? false);
  });
  const definitions = useMemo(
    () =>
      columns.map(
        ({ id, header, cell }): ColumnDef<typeof features, T> => ({
          id,
          header,
          cell: ({ row }) => cell(row.original),
        }),
      ),
    [columns],
  );
  const rowSelection = selection?.value ?? NO_SELECTION;
  const table = useTable({
    features,
    columns: definitions,
    data: (rows ?? NONE) as T[],
    getRowId: rowId,
    state: { rowSelection },
    enableRowSelection: selection !== undefined,
    onRowSelectionChange: (update) => {
      selection?.set(typeof update === 'function' ? update(rowSelection) : update);
    },
  });

  if (rows?.length === 0 && !stale) return <>{empty}</>;

  const open = (event: MouseEvent<HTMLElement> | KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const address = target.closest('tr')?.dataset.href;
    if (address === undefined || target.closest('a, button, input, label') !== null) return;
    if ((getSelection()?.toString() ?? '') !== '') return;
    // As the browser does for links.
    const { href } = target.closest('tr')?.querySelector<HTMLAnchorElement>('td > a') ?? {};
    if (event.ctrlKey || event.metaKey) window.open(href, '_blank', 'noopener');
    else void navigate(linkTo(address));
  };

  const all = table.getIsAllPageRowsSelected();
  const some = !all && table.getIsSomePageRowsSelected();
  return (
    <div className={classes.box} aria-busy={rows === undefined || stale}>
      <table className={classes.table} aria-label={label} data-stale={stale || undefined}>
        <thead>
          <tr>
            {selection !== undefined && (
              <th className={classes.check}>
                <Checkbox
                  size="xs"
                  aria-label="Select all rows on this page"
                  checked={all}
                  indeterminate={some}
                  onChange={table.getToggleAllPageRowsSelectedHandler()}
                />
              </th>
            )}
            {columns.map((column) => (
              <HeaderCell key={column.id} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a convenience for the mouse; keyboards use the link in the first cell. */}
        <tbody ref={body} data-rows onClick={open}>
          {rows === undefined && <Loading columns={columns.length + (selection === undefined ? 0 : 1)} />}
          {table.getRowModel().rows.flatMap((row, at) => {
            const address = href?.(row.original);
            return [
              ...headingOf(group, rows ?? NONE, at, columns.length + (selection === undefined ? 0 : 1)),
              <tr
                key={row.id}
                tabIndex={-1}
                data-href={address}
                data-selected={row.getIsSelected() || undefined}
              >
                {selection !== undefined && (
                  <td className={classes.check}>
                    <Checkbox
                      size="xs"
                      aria-label={`Select ${rowName?.(row.original) ?? row.id}`}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {row.getAllCells().map((cell, index) => {
                  const column = columns[index];
                  const content = <table.FlexRender cell={cell} />;
                  return (
                    <td key={cell.id} data-label={column?.header} data-right={column?.right}>
                      {index === 0 && address !== undefined ? (
                        <Link {...linkTo(address)}>{content}</Link>
                      ) : (
                        content
                      )}
                    </td>
                  );
                })}
              </tr>,
            ];
          })}
        </tbody>
      </table>
    </div>
  );
}

type Grouping<T> = NonNullable<TableViewProps<T>['group']>;

/** Sorts rows by group, in the order in which the groups first appear. */
function useGrouped<T>(rows: readonly T[] | undefined, group: Grouping<T> | undefined) {
  return useMemo(
    () =>
      group === undefined || rows === undefined
        ? rows
        : [...Map.groupBy(rows, (row) => group(row).id).values()].flat(),
    [rows, group],
  );
}

/** Returns the title row if the row at this index is the first of its group. */
function headingOf<T>(group: Grouping<T> | undefined, rows: readonly T[], at: number, columns: number) {
  const [before, row] = [rows[at - 1], rows[at]];
  if (group === undefined || row === undefined) return [];
  const { id, title } = group(row);
  if (before !== undefined && group(before).id === id) return [];
  return [
    <tr key={`group ${id}`} className={classes.heading} data-heading>
      <th scope="rowgroup" colSpan={columns}>
        {title}
      </th>
    </tr>,
  ];
}

interface HeaderProps<T> extends Pick<TableViewProps<T>, 'sort' | 'onSort'> {
  column: Column<T>;
}

function HeaderCell<T>({ column: { header, sort: by, right }, sort, onSort }: HeaderProps<T>) {
  if (by === undefined || onSort === undefined) return <th data-right={right}>{header}</th>;
  const up = sort === by;
  const down = sort === `-${by}`;
  const next = up ? `-${by}` : down ? undefined : by;
  return (
    <th data-right={right} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button type="button" className={classes.sort} onClick={() => onSort(next)}>
        {header}
        {up && <IconArrowUp size={14} aria-hidden />}
        {down && <IconArrowDown size={14} aria-hidden />}
      </button>
    </th>
  );
}

function Loading({ columns }: { columns: number }) {
  return Array.from({ length: 8 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows never change.
    <tr key={row}>
      <td colSpan={columns}>
        <Skeleton height={12} width={`${90 - ((row * 17) % 50)}%`} />
      </td>
    </tr>
  ));
}
