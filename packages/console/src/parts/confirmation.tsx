import { lazy, useSyncExternalStore } from 'react';
import { api, ok } from '../api/client.ts';
import { hasCode } from '../api/error.ts';

const ConfirmationModal = lazy(() =>
  import('./confirmation-dialog.tsx').then(({ ConfirmationModal: modal }) => ({ default: modal })),
);

/** A change that waits until the person has confirmed who they are. */
interface Waiting {
  go: () => void;
  stop: () => void;
}

let waiting: Waiting | undefined;
const listeners = new Set<() => void>();
function setWaiting(next: Waiting | undefined) {
  waiting = next;
  for (const listener of listeners) listener();
}

/**
 * Makes a change that requires a recent sign-in. If the last one is too old, asks the person to confirm who they are,
 * and makes the change again. A `password` that the person has just entered is the confirmation.
 */
export async function withConfirmation<T>(change: () => Promise<T>, password?: string): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!hasCode(error, 'confirmation_required')) throw error;
    if (password !== undefined) await ok(api.POST('/auth/confirm/', { body: { password } }));
    else await new Promise<void>((go, stop) => setWaiting({ go, stop: () => stop(error) }));
    return change();
  }
}

/** The dialog of {@link withConfirmation}. The layout shows it once for all pages. */
export function ConfirmationDialog() {
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
  if (asked === undefined) return null;
  const end = (how: () => void) => {
    setWaiting(undefined);
    how();
  };
  return <ConfirmationModal stop={() => end(asked.stop)} after={() => end(asked.go)} />;
}
