import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a port that nothing listens on, for a server that cannot choose one itself. It lies below the range from which
 * systems give ports to outgoing connections (RFC 6335 section 6: dynamic ports; Linux starts at 32768), so no connection
 * takes it before the server listens.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    const probe = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => probe.close(resolve));
    if (isFree) return port;
  }
}
