import { type RefObject, useEffect } from 'react';
import { typing } from '../shell/typing.ts';

/**
 * `j` and `k` go from row to row, `x` selects; Enter is the row's own link. Every other key is the page's: `own` answers
 * whether to go on to the next row. Only one table of a page listens: the first.
 */
export function useTableKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  own?: (key: string, row: number) => boolean,
) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (typing(event) || document.querySelector('tbody[data-rows]') !== body.current) return;
      const rows = [...(body.current?.rows ?? [])].filter(({ dataset }) => dataset.heading === undefined);
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === 'x') rows[at]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      const goesOn = event.key === 'j' || (at >= 0 && own?.(event.key, at));
      if (!goesOn && event.key !== 'k') return;
      const row = rows[goesOn ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)];
      const target = row?.querySelector<HTMLElement>('td > a') ?? row;
      target?.focus();
      target?.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [body, own]);
}
