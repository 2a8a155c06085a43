import { useQueryClient } from '@tanstack/react-query';
import { useChange } from '../../api/client.ts';
import { offerUndo } from './undo.tsx';

interface Options<V, T> {
  /** The message with the offer: "Webhook paused". */
  done: (result: T) => string;
  /** The change that takes it back. Without it, the message has no offer. */
  undo: ((input: V) => Promise<unknown>) | undefined;
  after?: () => void;
}

/** A change that is made without asking, because it can be taken back for 10 seconds. */
export function useUndoable<V, T>(change: (input: V) => Promise<T>, options: Options<V, T>) {
  const client = useQueryClient();
  return useChange(
    async (input: V) => {
      // As it was before the change: the page is read again while the offer stands.
      const { done, undo, after } = options;
      return { message: done(await change(input)), undo: undo && (() => undo(input)), after };
    },
    {
      after: ({ message, undo, after }) => {
        offerUndo({ message, undo: undo && (() => undo().then(() => client.invalidateQueries())) });
        after?.();
      },
    },
  );
}
