import { useEffect, useRef, useState } from 'react';
import type { Item } from './item.ts';

/** What covers the items on a phone: the header with the progress of the review, and the bar with the item to decide. */
const COVERED = { rootMargin: [-142, 0, -105, 0].map((side) => `${side}px`).join(' '), threshold: 1 };

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
  const visible = useVisible(items);
  const open = items.filter(({ decision }) => decision === null);
  const isVisible = ({ id }: Item) => visible.has(id);
  const chosen = items.find(({ id }) => id === touched?.id);
  const last = items.findLastIndex(isVisible);
  const shown = chosen !== undefined && isVisible(chosen) ? chosen : open.find(isVisible);
  const item = shown ?? open.find((one) => items.indexOf(one) > last) ?? open[0];
  const show = () => item !== undefined && scrollTo(item);
  const started = useRef(false);
  useEffect(() => {
    if (item === undefined || started.current) return;
    started.current = true;
    scrollTo(item);
  });
  return {
    item,
    isShown: shown !== undefined,
    show,
    /** Goes on to the next undecided item. */
    next: () => {
      if (item === undefined) return;
      const at = items.indexOf(item);
      const next = open.find((one) => items.indexOf(one) > at) ?? open.find((one) => one !== item);
      touch(next);
      if (next !== undefined) scrollTo(next);
    },
  };
}

const scrollTo = ({ id }: Item) =>
  document.querySelector(`[data-item="${id}"]`)?.scrollIntoView({ block: 'nearest' });

/** Returns the IDs of the items that are completely on the screen. */
function useVisible(items: readonly Item[]): ReadonlySet<string> {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  const ids = items.map(({ id }) => id).join();
  useEffect(() => {
    if (ids === '') return;
    const observer = new IntersectionObserver((entries) => {
      setVisible((before) => {
        const after = new Set(before);
        for (const { target, isIntersecting } of entries) {
          const id = (target as HTMLElement).dataset.item ?? '';
          if (isIntersecting) after.add(id);
          else after.delete(id);
        }
        return after;
      });
    }, COVERED);
    for (const element of document.querySelectorAll('[data-item]')) observer.observe(element);
    return () => observer.disconnect();
  }, [ids]);
  return visible;
}
