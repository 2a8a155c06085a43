import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks `/healthz` every 10 ms, in a thread of its own, so that the test that prepares large requests does not delay it.
 * Replies to each message, after a probe that begins later, with the longest wait since the last reply, in milliseconds, of
 * which only the time counts in which the main thread of the server ran: a busy machine delays a probe, too, but the server
 * does not run then.
 */
const { url, pid } = workerData as { url: string; pid: number };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const wait = (ms: number) => new Promise((wake) => setTimeout(wake, ms));
let longest = 0;
let isAsked = false;

/** How long the main thread of the server has run, in milliseconds; elsewhere than on Linux, the time of the clock. */
function ran(): number {
  if (process.platform !== 'linux') return performance.now();
  // The first field of https://docs.kernel.org/scheduler/sched-stats.html#proc-pid-schedstat, in nanoseconds.
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function ask(): Promise<void> {
  const before = ran();
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent }, (reply) => {
      reply.resume().on('end', () => {
        longest = Math.max(longest, ran() - before);
        resolve();
      });
    }).on('error', reject);
  });
}

parentPort?.on('message', () => {
  isAsked = true;
});

for (;;) {
  const isLast = isAsked;
  await ask();
  if (isLast) {
    isAsked = false;
    parentPort?.postMessage(longest);
    longest = 0;
  }
  await wait(10);
}
