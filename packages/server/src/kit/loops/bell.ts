import type { Db } from '../database/open.ts';
import { listen, type Signal } from '../database/signals.ts';

/** Counts its rings, and wakes those who wait for one. */
export class Bell {
  rings = 0;
  readonly #waiting = new Set<() => void>();

  ring() {
    this.rings += 1;
    for (const wake of this.#waiting) wake();
  }

  /** Waits for the next ring, `ms` at most, or until `signal` aborts. Returns whether it rang. */
  next(ms: number, signal: AbortSignal): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const end = (rang: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      this.#waiting.delete(onRing);
      resolve(rang);
    };
    const onRing = () => end(true);
    const onAbort = () => end(false);
    const timer = setTimeout(onAbort, ms);
    signal.addEventListener('abort', onAbort);
    this.#waiting.add(onRing);
    if (signal.aborted) onAbort();
    return promise;
  }
}

/** Waits for one of the signals, `ms` at most, or until `stop` aborts. */
export async function nextSignal(
  db: Db,
  wanted: readonly Signal[],
  ms: number,
  stop: AbortSignal,
): Promise<void> {
  const bell = new Bell();
  const deafen = listen(db, (signal) => {
    if (wanted.includes(signal)) bell.ring();
  });
  await bell.next(ms, stop);
  deafen();
}
