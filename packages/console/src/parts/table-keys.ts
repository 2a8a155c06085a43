import { type RefObject, useEffect } from 'react';
import { typing } from '../shell/typing.ts';

/**
 * Moves between rows with `j` and `k`, and selects with `x`. Passes all other keys to `onKey`, which returns whether to
 * move to the next row. Only the first table on a page listens. Enter follows the row's link without our help.
 */
export function useTableKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  onKey?: (key: string, row: number) => boolean,
) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (typing(event) || document.querySelector('tbody[data-rows]') !== body.current) return;
      const rows = [...(body.current?.rows ?? [])].filter(({ dataset }) => dataset.heading === undefined);
      const current = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === 'x') rows[current]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      // The index among all rows: a long table has only some of them here.
      const at = Number(rows[current]?.dataset.at ?? -1);
      const movesDown = event.key === 'j' || (at >= 0 && onKey?.(event.key, at));
      if (!movesDown && event.key !== 'k') return;
      const row = rows[movesDown ? Math.min(current + 1, rows.length - 1) : Math.max(current - 1, 0)];
      const target = row?.querySelector<HTMLElement>('td > a') ?? row;
      target?.focus();
      target?.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [body, onKey]);
}
