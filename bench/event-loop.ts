import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { attacksOn } from '../packages/server/test/attacks.ts';
import { copyingMs } from '../packages/server/test/copying.ts';
import { startPostgres } from '../packages/server/test/postgres.ts';
import { startService } from '../packages/server/test/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `event-loop`: sends the requests that once stopped all others, while a prober asks `/healthz` every 10 ms. No request may hold
 * the event loop for more than 250 ms, of which only the time counts that the server ran, or for as long as four copies of 32 MB
 * take, as many as the handling of a large request makes.
 */
const LONGEST_MS = 250;
const COPIES = 4;
/** A request that holds the event loop does so each time. A machine whose host takes memory back does not. */
const ATTEMPTS = 3;

export async function run() {
  const postgres = await startPostgres(['synchronous_commit=on']);
  const service = await startService({
    database: { url: postgres.url },
    environment: { GATEHOUSE_RATE_LIMITS: 'off', LOG_LEVEL: 'warn' },
  });
  const prober = new Worker(new URL('../packages/server/test/lag-prober.ts', import.meta.url), {
    workerData: { url: service.url, pid: service.pid },
  });
  const longestWait = async (): Promise<number> => {
    const reply = once(prober, 'message');
    prober.postMessage('ask');
    return (await reply)[0];
  };
  try {
    // The first replies of a server take longer.
    for (let probes = 0; probes < 50; probes++) await longestWait();
    const { attacks, openSession } = attacksOn(() => service);
    await openSession();
    const rows: string[][] = [];
    for (const [name, , prepare] of attacks) {
      const attack = prepare();
      let [lag, limit, status] = [Number.POSITIVE_INFINITY, 0, 0];
      for (let attempt = 0; attempt < ATTEMPTS && lag >= limit; attempt++) {
        await longestWait();
        status = await attack();
        // With a probe after the reply, in case the request still holds the event loop.
        lag = await longestWait();
        limit = LONGEST_MS + COPIES * copyingMs();
      }
      rows.push([name, `${status}`, lag.toFixed(0), limit.toFixed(0), lag < limit ? '' : 'TOO LONG']);
    }
    printTable('Longest wait of /healthz', ['request', 'status', 'longest wait, ms', 'limit, ms', ''], rows);
  } finally {
    await prober.terminate();
    await service.kill();
    await postgres.stop();
  }
}
