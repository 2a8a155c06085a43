import { useSyncExternalStore } from 'react';

const PAUSE_MS = 2000;

let reachable = true;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function set(now: boolean) {
  if (now === reachable) return;
  reachable = now;
  clearInterval(timer);
  // A page that has nothing to read would otherwise learn from its next request only.
  if (!now) timer = setInterval(() => void check(), PAUSE_MS);
  for (const listener of listeners) listener();
}

export const markReachable = () => set(true);
export const markUnreachable = () => set(false);

async function check() {
  if (!reachable && (await isHealthy())) markReachable();
}
addEventListener('online', () => void check());
addEventListener('focus', () => void check());

/** Whether the server responds. */
export const isHealthy = () =>
  fetch('/healthz').then(
    ({ ok }) => ok,
    () => false,
  );

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
