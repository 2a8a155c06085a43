import { Skeleton } from '@mantine/core';
import type { PointerEvent } from 'react';
import { IconArrowDown, IconArrowUp } from '../icons/icons.ts';
import type { Column, TableViewProps } from './column.ts';
import { widthWithin } from './table-settings.ts';
import classes from './table-view.module.css';

interface HeaderProps<T> extends Pick<TableViewProps<T>, 'sort' | 'onSort'> {
  column: Column<T>;
  width: number | undefined;
  /** The width while the table is long. */
  kept: number | undefined;
  /** Changes the width of the column. Without it, the column cannot be resized. */
  resize: ((width: number) => void) | undefined;
}

export function HeaderCell<T>({ column, sort, onSort, width, kept, resize }: HeaderProps<T>) {
  const { id, header, sort: by, right, wraps, fill } = column;
  const style =
    width === undefined
      ? kept === undefined
        ? undefined
        : { width: kept }
      : { width, minWidth: width, maxWidth: width };
  // The buttons of the panel do the same for keyboards.
  const handle = resize !== undefined && (
    <span className={classes.handle} aria-hidden onPointerDown={(event) => follow(event, resize)} />
  );
  const common = { 'data-column': id, 'data-right': right, 'data-wraps': wraps, 'data-fill': fill, style };
  if (by === undefined || onSort === undefined)
    return (
      <th {...common}>
        {header}
        {handle}
      </th>
    );
  const up = sort === by;
  const down = sort === `-${by}`;
  const next = up ? `-${by}` : down ? undefined : by;
  return (
    <th {...common} aria-sort={up ? 'ascending' : down ? 'descending' : 'none'}>
      <button type="button" className={classes.sort} onClick={() => onSort(next)}>
        {header}
        {up && <IconArrowUp size={14} aria-hidden />}
        {down && <IconArrowDown size={14} aria-hidden />}
      </button>
      {handle}
    </th>
  );
}

/** Follows the pointer until it is released. */
function follow(event: PointerEvent<HTMLElement>, resize: (width: number) => void) {
  const handle = event.currentTarget;
  const begin = handle.parentElement?.getBoundingClientRect().width ?? 0;
  const from = event.clientX;
  const move = (to: globalThis.PointerEvent) => resize(widthWithin(begin + to.clientX - from));
  event.preventDefault();
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener('pointermove', move);
  const stop = () => handle.removeEventListener('pointermove', move);
  handle.addEventListener('pointerup', stop, { once: true });
  handle.addEventListener('pointercancel', stop, { once: true });
}

/** Rows as high as those that follow, so that nothing moves when they arrive. */
export function Loading({ columns, checks }: { columns: number; checks: boolean }) {
  return Array.from({ length: 8 }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder rows never change.
    <tr key={row}>
      {checks && <td className={classes.check} />}
      {Array.from({ length: columns }, (_, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholder cells never change.
        <td key={column} data-phone={column === 0 ? 'title' : column === 1 ? 'detail' : 'none'}>
          <Skeleton height={12} width={`${85 - ((row * 17 + column * 29) % 50)}%`} />
        </td>
      ))}
    </tr>
  ));
}
