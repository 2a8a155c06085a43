import type { RefObject } from 'react';
import { isElsewhere, usePresses } from '../browser/keys.ts';

/**
 * Moves between rows with `j` and `k`, and selects with `x`. Passes the keys of `actions` to `onKey`, which returns the index of
 * the row to move to. A key changes no row that is scrolled out of view: it brings the row into view first. Only the first table
 * on a page listens. Enter follows the row's link without our help.
 */
export function useTableKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  actions: readonly string[],
  onKey: (key: string, row: number) => number | undefined,
) {
  usePresses((event) => {
    if (isElsewhere(event) || document.querySelector('tbody[data-rows]') !== body.current) return;
    const rows = [...(body.current?.rows ?? [])].filter(({ dataset }) => dataset.heading === undefined);
    const current = rows.findIndex((row) => row.contains(document.activeElement));
    const isAction = event.key === 'x' || actions.includes(event.key);
    const focused = rows[current];
    if (isAction && focused !== undefined && !isInView(focused))
      return focused.scrollIntoView({ block: 'center' });
    if (event.key === 'x') focused?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
    // The index among all rows: a long table has only some of them here.
    const at = Number(focused?.dataset.at ?? -1);
    const next = at >= 0 && isAction ? onKey(event.key, at) : undefined;
    const row = rows[placeOf(event.key, rows, current, next) ?? -1];
    const target = row?.querySelector<HTMLElement>('td > a') ?? row;
    target?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  });
}

/**
 * While rows are selected, calls the action of a key for all of them, wherever the focus is. Returns the `keys` of
 * the focused row without these, if they change.
 */
export function useSelectedKeys<Keys extends object, S extends { count: number }>(
  list: RefObject<HTMLElement | null>,
  keys: Keys | undefined,
  ofSelected: Readonly<Record<string, (selection: S) => void>> = {},
  selection: S,
): { keys?: Keys } {
  const isSome = selection.count > 0;
  usePresses((event) => {
    if (!isSome || isElsewhere(event)) return;
    if (list.current?.contains(document.querySelector('tbody[data-rows]')) === true)
      ofSelected[event.key]?.(selection);
  });
  if (!isSome || keys === undefined) return {};
  const others = Object.entries(keys).filter(([key]) => ofSelected[key] === undefined);
  return { keys: Object.fromEntries(others) as Keys };
}

/** Whether the start of the row can be seen, below what stays in place above the table. */
function isInView(row: HTMLTableRowElement): boolean {
  const { left, top, height } = row.getBoundingClientRect();
  const box = row.closest('table')?.parentElement?.getBoundingClientRect();
  const at = document.elementFromPoint(Math.max(left, box?.left ?? 0) + 8, top + height / 2);
  return at !== null && row.contains(at);
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
