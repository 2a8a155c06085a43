import { useSyncExternalStore } from 'react';

let reachable = true;
const listeners = new Set<() => void>();

function set(now: boolean) {
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener();
}

export const heard = () => set(true);
export const unheard = () => set(false);

/** False from a request that nobody answered until one that somebody did. */
export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => reachable,
  );
}
