import { type PointerEvent, type RefObject, useLayoutEffect } from 'react';

/** The widths that a cell may have at most, in pixels, from wide to narrow. */
const WIDTHS = [360, 300, 260, 220, 190, 160, 140, 120, 104, 90];
const VARIABLE = '--gh-cell';

/** Gives the cells of a table of one-line rows the largest width with which the table fits into its box. Longer texts are cut. Returns the properties of the table. */
export function useOneLine(box: RefObject<HTMLDivElement | null>, isOneLine: boolean, content: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content takes other widths.
  useLayoutEffect(() => {
    const element = box.current;
    const table = element?.querySelector('table');
    if (!isOneLine || !element || !table) return;
    let at = 0;
    const fit = () => {
      if (element.clientWidth === at) return;
      at = element.clientWidth;
      for (const width of WIDTHS) {
        table.style.setProperty(VARIABLE, `${width}px`);
        if (table.offsetWidth <= at) break;
      }
    };
    fit();
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, isOneLine, content]);
  return isOneLine ? ONE_LINE : {};
}

/** Shows the whole text of a cell that is cut as its tooltip. */
function nameCut({ target }: PointerEvent<HTMLElement>) {
  const cell = (target as HTMLElement).closest('td');
  if (cell === null || cell.querySelector('[title]') !== null) return;
  const isCut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].some(
    ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
  );
  if (isCut) cell.title = cell.innerText.replace(/\s+/g, ' ');
  else cell.removeAttribute('title');
}

const ONE_LINE = { 'data-line': true, onPointerOver: nameCut };
