import { setTimeout as sleep } from 'node:timers/promises';

export type SettleOptions = {
  /** True if the error may come from a part of the application that does not know the new account yet. */
  isUnsettled(error: unknown): boolean;
  signal?: AbortSignal | undefined;
  /** Seconds of pauses until an error is final. The first pause is a small part of them, and each further one is twice as long. */
  seconds?: number | undefined;
};

const LONGEST_PAUSE = 5000;

/**
 * Repeats work on an account that was created a moment ago. Applications with several servers, such as Google Workspace and
 * Microsoft Entra ID, do not find a new account everywhere for some seconds.
 */
export async function settled<T>(
  work: () => Promise<T>,
  { isUnsettled, signal, seconds = 60 }: SettleOptions,
): Promise<T> {
  let left = seconds * 1000;
  for (let wait = seconds * 8; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    left -= wait;
    try {
      return await work();
    } catch (error) {
      if (!isUnsettled(error) || left < 0) throw error;
    }
    await sleep(wait, undefined, signal ? { signal } : {});
  }
}
