// Loaded into a server before its own modules: appends a byte to a file for each statement to the embedded database.
import { appendFileSync } from 'node:fs';
import { isMainThread, Worker } from 'node:worker_threads';

const file = process.env['GATEHOUSE_BENCH_STATEMENTS'];
const { postMessage } = Worker.prototype;

if (isMainThread && file !== undefined)
  Worker.prototype.postMessage = function (message: unknown, ...rest: unknown[]) {
    if (typeof message === 'object' && message !== null && 'call' in message) appendFileSync(file, '.');
    return Reflect.apply(postMessage, this, [message, ...rest]);
  };
