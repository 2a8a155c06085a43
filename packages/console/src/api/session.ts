import { useSyncExternalStore } from 'react';

/** Requests that failed because the session has ended, until someone signs in again or leaves. */
let waiting: { answer: Promise<boolean>; end: (signedIn: boolean) => void } | undefined;
const listeners = new Set<() => void>();

function set(next: typeof waiting) {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Asks the person to sign in again on the current page. Returns whether they did, so that the request can be repeated. */
export function signInAgain(): Promise<boolean> {
  if (waiting === undefined) {
    const { promise: answer, resolve } = Promise.withResolvers<boolean>();
    set({
      answer,
      end: (signedIn) => {
        set(undefined);
        resolve(signedIn);
      },
    });
  }
  return waiting?.answer ?? Promise.resolve(false);
}

/** Ends the question of signInAgain. */
export const endSignIn = (signedIn: boolean) => waiting?.end(signedIn);

/** Whether the session has ended while a page is open. */
export const useSessionEnded = () =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting !== undefined,
  );
