import { useSyncExternalStore } from 'react';

/** Why the page's person is not signed in: the session has ended, or somebody else has signed in in the same browser. */
export type SessionLoss = 'ended' | 'taken';

/** A question to the person that refused requests wait for. */
interface Question<T> {
  asked: T;
  answer: Promise<boolean>;
  end: (done: boolean) => void;
}

/** Creates a question that is asked on the current page, so that its unsaved input is kept. Several requests share the answer. */
function createQuestion<T>() {
  let open: Question<T> | undefined;
  const listeners = new Set<() => void>();
  const set = (next: Question<T> | undefined) => {
    open = next;
    for (const listener of listeners) listener();
  };
  return {
    ask(asked: T): Promise<boolean> {
      if (open !== undefined) {
        if (open.asked !== asked) set({ ...open, asked });
        return open.answer;
      }
      const { promise: answer, resolve } = Promise.withResolvers<boolean>();
      set({
        asked,
        answer,
        end: (done) => {
          set(undefined);
          resolve(done);
        },
      });
      return answer;
    },
    end: (done: boolean) => open?.end(done),
    use: () =>
      useSyncExternalStore(
        (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
        () => open?.asked,
      ),
  };
}

const session = createQuestion<SessionLoss>();
/** Asks the person to sign in again on the current page. Returns whether they did, so that the request can be repeated. */
export const signInAgain = session.ask;
/** Ends the question of signInAgain. */
export const endSignIn = session.end;
/** Why the page's person has to sign in again, or undefined. */
export const useSessionLoss = session.use;

const factor = createQuestion<true>();
/** Waits until the person has set up the second factor that the layout asks for. */
export const setUpFactor = () => factor.ask(true);
export const endFactorSetUp = factor.end;
