import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * Repeats `look` until it returns a value that `holds`, and returns that value. After `seconds`, throws an error that names
 * `what` it waited for and shows what it saw last. A `look` that does not return in time counts, too.
 */
export async function until<T>(
  what: string,
  look: () => T | Promise<T>,
  holds: (seen: T) => boolean = Boolean,
  { seconds = 25, everyMs = 10 } = {},
): Promise<T> {
  const end = AbortSignal.timeout(seconds * 1000);
  let last = 'nothing: the first look has not returned';
  const late = new Promise<never>((_, reject) => {
    end.addEventListener('abort', () =>
      reject(new Error(`Waited ${seconds} seconds for ${what}, and saw last: ${last}`)),
    );
  });
  // It also rejects when nothing waits any more.
  late.catch(() => {});
  for (;;) {
    const seen = await Promise.race([look(), late]);
    if (holds(seen)) return seen;
    last = inspect(seen, { depth: 5 });
    await Promise.race([sleep(everyMs), late]);
  }
}
