import { useSyncExternalStore } from 'react';
import { lazyPart } from '../controls/lazy-part.tsx';
import { type Choice, type Difference, onConflict } from './edits.ts';

const ConflictModal = lazyPart(async () => (await import('./conflict-dialog.tsx')).ConflictModal, {
  leave: ({ choose }) => choose('neither'),
});

interface Conflict {
  differences: Difference[];
  end: (choice: Choice) => void;
}

let open: Conflict | undefined;
const listeners = new Set<() => void>();
function setOpen(next: Conflict | undefined) {
  open = next;
  for (const listener of listeners) listener();
}

onConflict((differences) => new Promise((end) => setOpen({ differences, end })));

/** Asks which change to keep when somebody else has changed the same thing. The layout shows it once for all pages. */
export function ConflictDialog() {
  const conflict = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open,
  );
  if (conflict === undefined) return null;
  const choose = (choice: Choice) => {
    setOpen(undefined);
    conflict.end(choice);
  };
  return <ConflictModal differences={conflict.differences} choose={choose} />;
}
