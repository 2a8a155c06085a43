import { type CSSProperties, useEffect, useLayoutEffect, useState } from 'react';
import type { Item } from './item.ts';

/** The heights that cover the items: the header and the progress of the review at the top, and the bar at the bottom. */
interface Covered {
  top: number;
  bottom: number;
}

/** The header of the page, below which the progress of the review stays. */
const HEADER = 48;
/** The bar has this height before it is drawn. */
const BAR = 105;

interface Options {
  /** The items that the person can decide, as they are listed. Empty if there is no bar. */
  items: readonly Item[];
  /** The item that the person touched, or that follows the one they decided. */
  touched: Item | undefined;
  touch: (item: Item | undefined) => void;
}

/**
 * Returns the item of the bar on a phone: the touched one while it is on the screen, or else the first undecided one that
 * is. Without any, the next one, which the person has to bring into view before they can decide it.
 */
export function usePhoneItem({ items, touched, touch }: Options) {
  const [covered, setCovered] = useState<Covered>({ top: HEADER, bottom: BAR });
  const visible = useVisible(items, covered);
  const open = items.filter(({ decision }) => decision === null);
  const isVisible = ({ id }: Item) => visible.has(id);
  const chosen = items.find(({ id }) => id === touched?.id);
  const last = items.findLastIndex(isVisible);
  const shown = chosen !== undefined && isVisible(chosen) ? chosen : open.find(isVisible);
  const item = shown ?? open.find((one) => items.indexOf(one) > last) ?? open[0];
  const show = () => item !== undefined && scrollTo(item);
  useMeasured(item !== undefined, setCovered);
  useStart(item);
  return {
    item,
    isShown: shown !== undefined,
    show,
    /** Keeps items that are scrolled to clear of what covers them. */
    style: {
      '--gh-covered-top': `${covered.top}px`,
      '--gh-covered-bottom': `${covered.bottom}px`,
    } as CSSProperties,
    /** Goes on to the next undecided item. */
    next: () => {
      if (item === undefined) return;
      const at = items.indexOf(item);
      touch(open.find((one) => items.indexOf(one) > at) ?? open.find((one) => one !== item));
    },
  };
}

/** Brings the first item into view, and again when what loads later moves it, until the person touches the page. */
function useStart(item: Item | undefined): void {
  const hasItem = item !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first item only.
  useEffect(() => {
    if (item === undefined) return;
    const observer = new ResizeObserver(() => scrollTo(item));
    observer.observe(document.body);
    const stop = () => {
      observer.disconnect();
      for (const sign of TOUCHES) removeEventListener(sign, stop);
    };
    for (const sign of TOUCHES) addEventListener(sign, stop);
    return stop;
  }, [hasItem]);
}

const TOUCHES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Brings an item into view, clear of what covers it. */
export const scrollTo = ({ id }: Item) =>
  document.querySelector(`[data-item="${id}"]`)?.scrollIntoView({ block: 'nearest' });

/** Measures what covers the items. Without the bar, its last height counts, so that the bar covers no item when it appears. */
function useMeasured(hasBar: boolean, set: (change: (before: Covered) => Covered) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the bar is another element whenever it appears.
  useLayoutEffect(() => {
    const heightOf = (side: string) =>
      document.querySelector<HTMLElement>(`[data-${side}-bar]`)?.offsetHeight;
    const measure = () =>
      set((before) => {
        const [top, bottom] = [HEADER + (heightOf('top') ?? 0), heightOf('bottom') ?? before.bottom];
        return before.top === top && before.bottom === bottom ? before : { top, bottom };
      });
    measure();
    const observer = new ResizeObserver(measure);
    for (const bar of document.querySelectorAll('[data-top-bar], [data-bottom-bar]')) observer.observe(bar);
    return () => observer.disconnect();
  }, [hasBar, set]);
}

/** Returns the IDs of the items that are completely on the screen. */
function useVisible(items: readonly Item[], { top, bottom }: Covered): ReadonlySet<string> {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  const ids = items.map(({ id }) => id).join();
  useEffect(() => {
    if (ids === '') return;
    const observer = new IntersectionObserver(
      (entries) => {
        setVisible((before) => {
          const after = new Set(before);
          for (const { target, isIntersecting } of entries) {
            const id = (target as HTMLElement).dataset.item ?? '';
            if (isIntersecting) after.add(id);
            else after.delete(id);
          }
          return after;
        });
      },
      { rootMargin: [-top, 0, -bottom, 0].map((side) => `${side}px`).join(' '), threshold: 1 },
    );
    for (const element of document.querySelectorAll('[data-item]')) observer.observe(element);
    return () => observer.disconnect();
  }, [ids, top, bottom]);
  return visible;
}
