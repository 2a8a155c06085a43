import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** The only port of our range that `fetch` refuses (Fetch Standard, port blocking). */
const BLOCKED = 10_080;

/**
 * Returns a free port, for a server that cannot choose one itself. It lies below the range from which systems give ports
 * to outgoing connections, so no connection takes it before the server listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (port === BLOCKED) continue;
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}
