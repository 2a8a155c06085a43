import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import {
  type ColumnDef,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { linkTo } from '../browser/address.ts';
import { idOf, type TableViewProps } from './column.ts';
import { isLong as isLongList, useKeptWidths } from './long-rows.ts';
import { useOneLine } from './one-line.ts';
import { PhoneSort } from './phone-sort.tsx';
import { TableBody } from './table-body.tsx';
import { HeaderCell } from './table-header.tsx';
import { useTableKeys } from './table-keys.ts';
import { TablePanel } from './table-panel.tsx';
import { useTableSettings } from './table-settings.ts';
import classes from './table-view.module.css';

export type { Column } from './column.ts';

const features = tableFeatures({ rowSelectionFeature });
const NONE: readonly never[] = [];
const NO_SELECTION: RowSelectionState = {};

/** A table of given rows; DataTable loads them. `j` and `k` move, Enter opens, `x` selects. */
export function TableView<T extends RowData>(props: TableViewProps<T>) {
  const {
    label,
    name,
    columns: all,
    rowId = idOf,
    rowName,
    compared,
    href,
    selection,
    sort,
    onSort,
    group,
    keys,
    due,
    stale = false,
    hasMore = false,
    empty,
  } = props;
  const { settings, change } = useTableSettings(name);
  const { hidden, widths, dense } = settings;
  const columns = useMemo(() => all.filter(({ id }) => !hidden.includes(id)), [all, hidden]);
  const rows = useGrouped(props.rows, group);
  const box = useRef<HTMLDivElement>(null);
  const isEmpty = rows?.length === 0 && !stale;
  const isWide = useIsWide(box, isEmpty);
  const isLong = isLongList(rows);
  const shape = useMemo(() => ({ rows, columns, settings, isEmpty }), [rows, columns, settings, isEmpty]);
  // The page that a row opens has what does not fit into the row.
  const oneLine = useOneLine(box, href !== undefined, shape);
  const kept = useKeptWidths(box, isLong, settings);
  const navigate = useNavigate();
  const body = useRef<HTMLTableSectionElement>(null);
  useTableKeys(body, Object.keys(keys ?? {}), (key, at) => {
    const row = rows?.[at];
    if (row === undefined || keys?.[key]?.(row) !== true) return undefined;
    const next = due === undefined ? at + 1 : (rows?.findIndex((one, index) => index > at && due(one)) ?? -1);
    return next === -1 ? at : next;
  });
  const definitions = useMemo(
    () => columns.map(({ id, header }): ColumnDef<typeof features, T> => ({ id, header })),
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

  const latest = useRef({ rowSelection, selection });
  latest.current = { rowSelection, selection };
  // Always the same function, so that a change of one row does not draw the others again.
  const select = useCallback((id: string, isSelected: boolean) => {
    const { [id]: _, ...others } = latest.current.rowSelection;
    latest.current.selection?.set(isSelected ? { ...others, [id]: true } : others);
  }, []);

  if (isEmpty) return <>{empty}</>;

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

  const isAll = table.getIsAllPageRowsSelected();
  return (
    <div className={classes.frame}>
      {onSort !== undefined && <PhoneSort columns={all} sort={sort} onSort={onSort} />}
      {name !== undefined && (
        <TablePanel
          columns={all}
          settings={settings}
          change={change}
          widthOf={(id) => box.current?.querySelector(`[data-column="${id}"]`)?.clientWidth ?? 0}
        />
      )}
      <div
        ref={box}
        className={classes.box}
        aria-busy={rows === undefined || stale}
        data-wide={isWide || undefined}
      >
        <table
          className={classes.table}
          aria-label={label}
          data-stale={stale || undefined}
          data-dense={dense || undefined}
          {...oneLine}
          data-arranged={name !== undefined || undefined}
          data-kept={kept !== undefined || undefined}
          // Headings are rows too, and the header is the first one.
          aria-rowcount={isLong ? countLines(rows ?? NONE, group, hasMore) : undefined}
          data-lines={href !== undefined || all.some(({ phone }) => phone !== undefined) || undefined}
        >
          <thead>
            <tr>
              {selection !== undefined && (
                <th className={classes.check}>
                  <Checkbox
                    size="xs"
                    aria-label={t`Select all rows on this page`}
                    checked={isAll}
                    indeterminate={!isAll && table.getIsSomePageRowsSelected()}
                    onChange={table.getToggleAllPageRowsSelectedHandler()}
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={onSort}
                  width={widths[column.id]}
                  kept={kept?.[column.id]}
                  resize={
                    name === undefined
                      ? undefined
                      : (width) => change({ widths: { ...widths, [column.id]: width } })
                  }
                />
              ))}
            </tr>
          </thead>
          <TableBody
            body={body}
            box={box}
            isBoxed={isWide}
            isLong={isLong}
            columns={columns}
            widths={widths}
            rows={rows === undefined ? undefined : table.getRowModel().rows}
            rowName={rowName}
            compared={compared}
            href={href}
            group={group}
            isSelected={selection === undefined ? undefined : (id) => rowSelection[id] === true}
            select={select}
            onClick={open}
          />
        </table>
      </div>
    </div>
  );
}

/** Whether a table is wider than its box. Then it scrolls inside of it, and its header sticks to the box. */
function useIsWide(box: RefObject<HTMLDivElement | null>, isEmpty: boolean): boolean {
  const [isWide, setIsWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    const table = element?.firstElementChild;
    if (!element || !table || isEmpty) return;
    const observer = new ResizeObserver(() => setIsWide(table.clientWidth > element.clientWidth + 1));
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, [box, isEmpty]);
  return isWide;
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

/** The number of rows with the headings of their groups and the header; -1 if it is not known. */
function countLines<T>(rows: readonly T[], group: Grouping<T> | undefined, hasMore: boolean): number {
  if (hasMore) return -1;
  const headings = group === undefined ? 0 : new Set(rows.map((row) => group(row).id)).size;
  return 1 + headings + rows.length;
}
