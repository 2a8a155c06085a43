import { useSyncExternalStore } from 'react';

let reachable = true;
const listeners = new Set<() => void>();

function set(now: boolean) {
  if (now === reachable) return;
  reachable = now;
  for (const listener of listeners) listener();
}

export const markReachable = () => set(true);
export const markUnreachable = () => set(false);

/** False after a request without a response, until the next response. */
export function useReachable(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => reachable,
  );
}
