import { type RefObject, useEffect } from 'react';
import { typing } from '../browser/typing.ts';

/**
 * Moves between rows with `j` and `k`, and selects with `x`. Passes all other keys to `onKey`, which returns the index of
 * the row to move to. Only the first table on a page listens. Enter follows the row's link without our help.
 */
export function useTableKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  onKey?: (key: string, row: number) => number | undefined,
) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (typing(event) || document.querySelector('tbody[data-rows]') !== body.current) return;
      const rows = [...(body.current?.rows ?? [])].filter(({ dataset }) => dataset.heading === undefined);
      const current = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === 'x') rows[current]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      // The index among all rows: a long table has only some of them here.
      const at = Number(rows[current]?.dataset.at ?? -1);
      const next = at >= 0 ? onKey?.(event.key, at) : undefined;
      const row = rows[placeOf(event.key, rows, current, next) ?? -1];
      const target = row?.querySelector<HTMLElement>('td > a') ?? row;
      target?.focus();
      target?.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [body, onKey]);
}

/** Returns the place of the row that a key moves to. */
function placeOf(key: string, rows: HTMLTableRowElement[], current: number, next: number | undefined) {
  if (next !== undefined) {
    const place = rows.findIndex(({ dataset }) => Number(dataset.at) === next);
    return place === -1 ? current : place;
  }
  if (key === 'j') return Math.min(current + 1, rows.length - 1);
  return key === 'k' ? Math.max(current - 1, 0) : undefined;
}
