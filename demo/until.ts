import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 30_000;

/** Repeats `look` until `holds`, for half a minute at most. */
export async function until<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > end) throw new Error('Timed out waiting for the service.');
    await sleep(250);
  }
}
