import { useEffect, useRef } from 'react';

/** Actions by key. A key without an action stays with the browser. */
export type Keys = Readonly<Record<string, (() => void) | undefined>>;

/** Calls the action of a pressed key, unless the key belongs to a field, a dialog or the browser. */
export function usePageKeys(keys: Keys, within?: Within) {
  usePresses((event) => {
    const act = isElsewhere(event, within) ? undefined : keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
}

/** Calls the last `press` that it was given for each key, also for keys in fields and dialogs. */
export function usePresses(press: (event: KeyboardEvent) => void) {
  const latest = useRef(press);
  latest.current = press;
  useEffect(() => {
    const call = (event: KeyboardEvent) => latest.current(event);
    addEventListener('keydown', call);
    return () => removeEventListener('keydown', call);
  }, []);
}

/** Where keys are used: on the page, or in a drawer, which is a dialog itself. */
type Within = 'page' | 'drawer';

/** Returns whether a key press belongs to a field, a dialog or the browser rather than to a shortcut. */
export function isElsewhere(event: KeyboardEvent, within: Within = 'page'): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (document.querySelectorAll('[role="dialog"]').length > (within === 'drawer' ? 1 : 0)) return true;
  return (
    target !== null &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}
