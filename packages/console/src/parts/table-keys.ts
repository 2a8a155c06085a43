import { type RefObject, useEffect } from 'react';
import { typing } from '../shell/typing.ts';

/** `j` and `k` go from row to row, `x` selects; Enter is the row's own link. Only one table of a page listens: the first. */
export function useTableKeys(body: RefObject<HTMLTableSectionElement | null>) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (typing(event) || document.querySelector('tbody') !== body.current) return;
      const rows = [...(body.current?.rows ?? [])];
      const at = rows.findIndex((row) => row.contains(document.activeElement));
      if (event.key === 'x') rows[at]?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
      if (event.key !== 'j' && event.key !== 'k') return;
      const row = rows[event.key === 'j' ? Math.min(at + 1, rows.length - 1) : Math.max(at - 1, 0)];
      const target = row?.querySelector<HTMLElement>('td > a') ?? row;
      target?.focus();
      target?.scrollIntoView({ block: 'nearest' });
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [body]);
}
