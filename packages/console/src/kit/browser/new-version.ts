import { useSyncExternalStore } from 'react';
import { discardUnsaved } from '../form/unsaved.ts';

/** Why a part of the page is missing: the server has another release, or the part has an error. */
export type WhyMissing = 'new_version' | 'error';

let missing: WhyMissing | undefined;
const listeners = new Set<() => void>();
function set(next: WhyMissing | undefined) {
  missing = next;
  for (const listener of listeners) listener();
}

/** Lets the frame offer to reload, because a part of the page is missing. */
export const askToReload = (why: WhyMissing) => set(why);
export const dismissReload = () => set(undefined);

/** Why a part of the page is missing, or undefined. */
export const useMissingPart = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => missing,
  );

/** Reloads the page, after the person has chosen to lose what they typed. */
export function reload(): void {
  discardUnsaved();
  location.reload();
}

const RELOADED = 'gatehouse-reloaded';
/** Reloading twice within this time would be a loop. */
const RELOAD_INTERVAL_MS = 10_000;

/** Reloads the page unless it has just done so. */
export function reloadOnce(): void {
  try {
    const last = Number(sessionStorage.getItem(RELOADED) ?? 0);
    if (Date.now() - last < RELOAD_INTERVAL_MS) return;
    sessionStorage.setItem(RELOADED, String(Date.now()));
  } catch {
    // Without storage, nothing would stop a loop.
    return;
  }
  location.reload();
}
