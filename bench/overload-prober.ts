import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

/** Asks /healthz every 10 ms. Replies to each message with the waits since the last one, in milliseconds. */
const { origin } = workerData as { origin: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let waits: number[] = [];

function ask(): Promise<void> {
  const asked = performance.now();
  return new Promise((resolve, reject) => {
    get(`${origin}/healthz`, { agent }, (reply) => {
      reply.resume().on('end', () => {
        waits.push(performance.now() - asked);
        resolve();
      });
    }).on('error', reject);
  });
}

parentPort?.on('message', () => {
  parentPort?.postMessage(waits);
  waits = [];
});

for (;;) {
  await ask();
  await sleep(10);
}
