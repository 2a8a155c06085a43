import { useSyncExternalStore } from 'react';
import { onConfirmationRequired } from '../api/base.ts';
import { api, ok } from '../api/client.ts';
import { lazyPart } from '../kit/controls/lazy-part.tsx';

const ConfirmationModal = lazyPart(
  async () => (await import('./confirmation-dialog.tsx')).ConfirmationModal,
  { leave: ({ stop }) => stop() },
);

/** Ends the wait of the changes that need a confirmation, with whether the person has given it. */
type End = (confirmed: boolean) => void;

let waiting: End | undefined;
const listeners = new Set<() => void>();
function setWaiting(next: End | undefined) {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Confirms who the person is with the password that they have just entered, before a change that requires a recent sign-in. */
export const confirmWith = (password: string) => ok(api.POST('/auth/confirm/', { body: { password } }));

// Several changes may wait for one confirmation.
onConfirmationRequired(
  () =>
    new Promise((end) => {
      const others = waiting;
      setWaiting((confirmed) => {
        others?.(confirmed);
        end(confirmed);
      });
    }),
);

/** Asks the person to confirm who they are when a change requires it. The layout shows it once for all pages. */
export function ConfirmationDialog() {
  const asked = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => waiting,
  );
  if (asked === undefined) return null;
  const end = (confirmed: boolean) => {
    setWaiting(undefined);
    asked(confirmed);
  };
  return <ConfirmationModal stop={() => end(false)} after={() => end(true)} />;
}
