import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks `/healthz` every 10 ms, in a thread of its own, so that the test that prepares large requests does not delay it.
 * Replies to each message with the longest wait since the last one, in milliseconds.
 */
const url = (workerData as { url: string }).url;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms));
let longest = 0;

function ask(): Promise<void> {
  const asked = performance.now();
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (reply) => {
      reply.resume().on('end', () => {
        longest = Math.max(longest, performance.now() - asked);
        resolve();
      });
    }).on('error', reject);
  });
}

parentPort?.on('message', () => {
  parentPort?.postMessage(longest);
  longest = 0;
});

for (;;) {
  await ask();
  await wait(10);
}
