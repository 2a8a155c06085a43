import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Bell } from '#kit/loops/bell.ts';

/** Rings when a service in this process has committed a change (app.ts). */
export const changes = new Bell();

const FIRST_PAUSE_MS = 5;

/**
 * Repeats `look` until it returns a value that `holds`, and returns that value. Looks again after each change of a service in this
 * process, and after pauses that grow to `everyMs`. After `seconds`, throws an error that names `what` it waited for and shows what
 * it saw last. A `look` that does not return in time counts, too.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean = Boolean,
  { seconds = 25, everyMs = 50 } = {},
): Promise<T> {
  const end = AbortSignal.timeout(seconds * 1000);
  let last = () => 'nothing: the first look has not returned';
  const late = new Promise<never>((_, reject) => {
    end.addEventListener('abort', () =>
      reject(new Error(`Waited ${seconds} seconds for ${what}, and saw last: ${last()}`)),
    );
  });
  // It also rejects when nothing waits any more.
  late.catch(() => {});
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, everyMs)) {
    const { rings } = changes;
    const began = performance.now();
    const seen = await Promise.race([late, look()]);
    if (holds(seen)) return seen;
    last = () => inspect(seen, { depth: 5 });
    // Most work commits several times, and a look takes time from it.
    const gap = Math.min(Math.max(2 * (performance.now() - began), FIRST_PAUSE_MS), everyMs);
    await Promise.race([late, sleep(gap)]);
    if (changes.rings === rings) await Promise.race([late, changes.next(pause, end)]);
  }
}
