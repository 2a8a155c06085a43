import { t } from '@lingui/core/macro';
import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type MouseEvent, memo, type ReactNode, type RefObject, useMemo } from 'react';
import { linkTo } from '../browser/address.ts';
import { AmongNames, Name } from '../text/name.tsx';
import type { Column, TableViewProps } from './column.ts';
import { useShownLines } from './long-rows.ts';
import { Loading } from './table-header.tsx';
import classes from './table-view.module.css';

/** A row with its ID. */
export interface BodyRow<T> {
  id: string;
  original: T;
}

interface Props<T> extends Pick<TableViewProps<T>, 'rowName' | 'href' | 'group' | 'compared'> {
  body: RefObject<HTMLTableSectionElement | null>;
  box: RefObject<HTMLElement | null>;
  isBoxed: boolean;
  isLong: boolean;
  columns: readonly Column<T>[];
  /** The widths that people gave to columns. */
  widths: Readonly<Record<string, number>>;
  /** undefined while they load for the first time. */
  rows: readonly BodyRow<T>[] | undefined;
  /** Returns whether a row is selected. Without it, rows cannot be selected. */
  isSelected: ((id: string) => boolean) | undefined;
  select: (id: string, isSelected: boolean) => void;
  onClick: (event: MouseEvent<HTMLElement>) => void;
}

type Line<T> = { key: string } & ({ title: ReactNode } | { row: BodyRow<T>; at: number });

/** The rows of a table. A long table only has those near its visible part. */
export function TableBody<T>(props: Props<T>) {
  const { body, box, isBoxed, isLong, columns, widths, rows, rowName, href, group, isSelected, select } =
    props;
  const lines = useMemo(() => linesOf(rows, group), [rows, group]);
  const keyOf = (index: number) => lines[index]?.key ?? '';
  const shown = useShownLines({ body, box, isBoxed, isLong, count: lines.length, keyOf });
  const across = columns.length + (isSelected === undefined ? 0 : 1);
  const { compared } = props;
  const names = useMemo(() => namesIn(columns, rows, compared), [columns, rows, compared]);
  return (
    <AmongNames of={names}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a convenience for the mouse; keyboards use the link in the first cell. */}
      <tbody ref={body} data-rows onClick={props.onClick} onFocus={shown.onFocus} onBlur={shown.onBlur}>
        {rows === undefined && <Loading columns={columns.length} checks={isSelected !== undefined} />}
        {shown.lines.flatMap(({ index, space }) => {
          const line = lines[index];
          if (line === undefined) return [];
          // A long table has only some of its rows: assistive technology gets their place from here.
          const place = isLong ? { ref: shown.measure, 'data-index': index, 'aria-rowindex': index + 2 } : {};
          const drawn =
            'title' in line ? (
              <tr key={line.key} className={classes.heading} data-heading {...place}>
                <th scope="rowgroup" colSpan={across}>
                  {line.title}
                </th>
              </tr>
            ) : (
              <Row
                key={line.key}
                id={line.row.id}
                of={line.row.original}
                at={line.at}
                place={isLong ? index : undefined}
                measure={shown.measure}
                columns={columns}
                widths={widths}
                name={rowName?.(line.row.original) ?? line.row.id}
                address={href?.(line.row.original)}
                isSelected={isSelected?.(line.row.id)}
                select={select}
              />
            );
          return space > 0
            ? [<Space key={`space ${line.key}`} height={space} across={across} />, drawn]
            : [drawn];
        })}
        {shown.after > 0 && <Space height={shown.after} across={across} />}
      </tbody>
    </AmongNames>
  );
}

/** Fills the place of rows that are not drawn. */
const Space = ({ height, across }: { height: number; across: number }) => (
  <tr className={classes.space} data-heading aria-hidden>
    <td colSpan={across} style={{ height }} />
  </tr>
);

interface RowProps<T> extends Pick<Props<T>, 'columns' | 'widths' | 'select'> {
  id: string;
  of: T;
  /** For its checkbox. */
  name: string;
  /** The address that the row opens. */
  address: string | undefined;
  /** The index among the rows. */
  at: number;
  /** The index among rows and headings, in a long table. */
  place: number | undefined;
  measure: ((element: HTMLTableRowElement | null) => void) | undefined;
  /** undefined if rows cannot be selected. */
  isSelected: boolean | undefined;
}

/** The table is drawn again while it scrolls and when it is read again, and its rows only if they changed. */
const Row = memo(PlainRow) as typeof PlainRow;

function PlainRow<T>(props: RowProps<T>) {
  const { id, of: row, name, address, at, place, measure, columns, widths, isSelected, select } = props;
  return (
    <tr
      ref={measure}
      tabIndex={-1}
      data-at={at}
      data-index={place}
      aria-rowindex={place === undefined ? undefined : place + 2}
      data-href={address}
      data-selected={isSelected || undefined}
    >
      {isSelected !== undefined && (
        <td className={classes.check}>
          <Checkbox
            size="xs"
            aria-label={t`Select ${name}`}
            checked={isSelected}
            onChange={({ currentTarget }) => select(id, currentTarget.checked)}
          />
        </td>
      )}
      {columns.map((column, index) => {
        const content = cellOf(column, row);
        const width = widths[column.id];
        return (
          <td
            key={column.id}
            data-label={column.header}
            data-right={column.right}
            data-fill={column.fill}
            data-whole={column.whole ?? (column.id === 'actions' || undefined)}
            data-phone={phoneOf(columns, index)}
            data-cut={width !== undefined || undefined}
            style={width === undefined ? undefined : { maxWidth: width }}
          >
            {index === 0 && address !== undefined && column.linked !== true ? (
              <Link {...linkTo(address)}>{content}</Link>
            ) : (
              content
            )}
          </td>
        );
      })}
    </tr>
  );
}

/** The content of a cell. Data that a column shows as it is is a name, or another text of others. */
function cellOf<T>({ cell, csv }: Column<T>, row: T): ReactNode {
  const content = cell(row);
  return typeof content === 'string' && content !== '' && content === csv?.(row) ? (
    <Name of={content} />
  ) : (
    content
  );
}

/** The names in a table that are compared with each other. */
function namesIn<T>(
  [first]: readonly Column<T>[],
  rows: readonly BodyRow<T>[] | undefined,
  compared = (row: T): readonly string[] => [String(first?.csv?.(row) ?? '')],
): string[] {
  return (rows ?? []).flatMap(({ original }) => compared(original));
}

/** Where a cell is on a phone. Without any choice, the first two columns are shown, and the actions. */
function phoneOf(columns: readonly Pick<Column<never>, 'id' | 'phone'>[], index: number) {
  const { id, phone } = columns[index] ?? {};
  if (phone !== undefined) return phone;
  if (id === 'actions') return 'detail';
  if (columns.some((column) => column.phone !== undefined)) return 'none';
  return index === 0 ? 'title' : index === 1 ? 'detail' : 'none';
}

/** Returns the rows, with the title of its group before the first one of each. */
function linesOf<T>(rows: readonly BodyRow<T>[] | undefined, group: TableViewProps<T>['group']): Line<T>[] {
  let before: string | undefined;
  return (rows ?? []).flatMap((row, at) => {
    const line = { key: row.id, row, at };
    if (group === undefined) return [line];
    const { id, title } = group(row.original);
    if (id === before) return [line];
    before = id;
    return [{ key: `group ${id}`, title }, line];
  });
}
