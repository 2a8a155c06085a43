import { useMediaQuery } from '@mantine/hooks';
import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
} from '@tanstack/react-virtual';
import { type FocusEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Longer tables only have the rows that are in view. */
const LONG = 200;
const OVERSCAN = 6;
/** The height of a row before it is drawn. */
const ROW_HEIGHT = 36;
const PHONE_GAP = 8;

export const isLong = (rows: readonly unknown[] | undefined) => (rows?.length ?? 0) > LONG;

export interface ShownLine {
  index: number;
  /** The height of the missing lines before this one, in pixels. */
  space: number;
}

interface Options {
  body: RefObject<HTMLTableSectionElement | null>;
  /** The box around the table. */
  box: RefObject<HTMLElement | null>;
  /** Whether the table scrolls in its box. Otherwise, the page scrolls. */
  isBoxed: boolean;
  isLong: boolean;
  /** The number of rows and headings. */
  count: number;
  keyOf: (index: number) => string;
}

/** Returns the lines of a table to draw: all of a short table, and those near the visible part of a long one. */
export function useShownLines({ body, box, isBoxed, isLong, count, keyOf }: Options) {
  const isPhone = useMediaQuery('(width<=640px)') === true;
  const isPrinting = usePrinting();
  const [focused, setFocused] = useState(-1);
  const scrollMargin = useOffset(body, box, isBoxed, isLong);
  const inBox = isBoxed && !isPhone;
  // The focused line stays, so that the focus does, and its neighbors, so that it can move to them.
  const rangeExtractor = useCallback(
    (range: Range) => {
      const near = [focused - 1, focused, focused + 1].filter((at) => at >= 0 && at < range.count);
      const extra = focused < 0 ? [] : near;
      return [...new Set([...defaultRangeExtractor(range), ...extra])].sort((one, other) => one - other);
    },
    [focused],
  );
  const common = {
    count,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    gap: isPhone ? PHONE_GAP : 0,
    rangeExtractor,
    scrollMargin,
  };
  const inPage = useWindowVirtualizer<HTMLTableRowElement>({ ...common, enabled: isLong && !inBox });
  const inside = useVirtualizer<HTMLElement, HTMLTableRowElement>({
    ...common,
    enabled: isLong && inBox,
    getScrollElement: () => box.current,
  });
  const all = Array.from({ length: isLong && !isPrinting ? 0 : count }, (_, index) => ({ index, space: 0 }));
  if (!isLong || isPrinting)
    return { lines: all, after: 0, measure: undefined, onFocus: undefined, onBlur: undefined };
  const virtualizer = inBox ? inside : inPage;
  const lines: ShownLine[] = [];
  let end = scrollMargin;
  for (const line of virtualizer.getVirtualItems()) {
    lines.push({
      index: line.index,
      space: Math.max(0, line.start - end - (line.index > 0 ? common.gap : 0)),
    });
    end = line.end;
  }
  return {
    lines,
    after: Math.max(0, virtualizer.getTotalSize() + scrollMargin - end),
    measure: virtualizer.measureElement,
    onFocus: ({ target }: FocusEvent) => setFocused(Number(target.closest('tr')?.dataset.index ?? -1)),
    onBlur: ({ relatedTarget, currentTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setFocused(-1);
    },
  };
}

/** Returns how far the first row is from the start of the element that scrolls. */
function useOffset(body: Options['body'], box: Options['box'], isBoxed: boolean, isLong: boolean): number {
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const top = body.current?.getBoundingClientRect().top ?? 0;
      const start =
        isBoxed && box.current ? box.current.scrollTop - box.current.getBoundingClientRect().top : scrollY;
      setOffset(Math.round(top + start));
    };
    if (!isLong) return;
    measure();
    // Something above the table appears or changes its height.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body, box, isBoxed, isLong]);
  return offset;
}

/** Whether the page is being printed, which shows all rows. */
function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const start = () => flushSync(() => setIsPrinting(true));
    const stop = () => setIsPrinting(false);
    addEventListener('beforeprint', start);
    addEventListener('afterprint', stop);
    return () => {
      removeEventListener('beforeprint', start);
      removeEventListener('afterprint', stop);
    };
  }, []);
  return isPrinting;
}

/** Returns the widths that the columns of a long table keep: those of the rows in view would change as it scrolls. */
export function useKeptWidths(box: RefObject<HTMLElement | null>, isLong: boolean, arrangement: unknown) {
  const [kept, setKept] = useState<{ at: number; arrangement: unknown; widths: Record<string, number> }>();
  const [at, setAt] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (!isLong || !element) return;
    const observer = new ResizeObserver(() => setAt(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, isLong]);
  const isCurrent = kept !== undefined && kept.at === at && kept.arrangement === arrangement;
  useLayoutEffect(() => {
    if (!isLong || isCurrent || at === 0) return;
    const cells = box.current?.querySelectorAll<HTMLElement>('th[data-column]') ?? [];
    const widths = [...cells].map((cell) => [cell.dataset.column ?? '', cell.offsetWidth]);
    setKept({ at, arrangement, widths: Object.fromEntries(widths) });
  }, [box, isLong, isCurrent, at, arrangement]);
  return isLong && isCurrent ? kept.widths : undefined;
}
