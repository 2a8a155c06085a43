import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../platform/errors.ts';
import type { Message, Task } from './read.worker.ts';

const FILE = new URL('./read.worker.ts', import.meta.url);
const MEGABYTES = 768;
const LONGEST_MS = 15 * 60_000;
/** Files that a process reads at once. */
const MOST_READERS = 2;

let readers = 0;

export interface Source {
  /** Returns a chunk of the file, or undefined after the last one. */
  chunk(number: number): Promise<Uint8Array | undefined>;
  /** Takes problems, records or rows. The worker waits until it has returned. */
  take?(items: unknown[]): Promise<void>;
}

/**
 * Reads a file in a thread that has bounded memory and no environment, since strangers may have written the file. Throws
 * the error of an unreadable file.
 */
export async function readInWorker<T>(task: Task, { chunk, take }: Source): Promise<T> {
  if (readers >= MOST_READERS)
    throw new DomainError('unavailable', 'The server is reading other files. Try again in a moment.');
  readers += 1;
  const worker = new Worker(FILE, {
    workerData: task,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  try {
    return (await converse(worker, chunk, take ?? (async () => {}))) as T;
  } finally {
    readers -= 1;
    await worker.terminate();
  }
}

async function converse(
  worker: Worker,
  chunk: Source['chunk'],
  take: NonNullable<Source['take']>,
): Promise<unknown> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  const failed = once(worker, 'exit', { signal }).then(() => {
    throw new Error('The reader of a file ended early.');
  });
  failed.catch(() => undefined);
  for (;;) {
    const [message] = (await Promise.race([once(worker, 'message', { signal }), failed]).catch(
      explain(signal),
    )) as [Message];
    if (message.type === 'done') return message.result;
    if (message.type === 'refused') throw new DomainError(message.code, message.detail);
    if (message.type === 'chunk') worker.postMessage((await chunk(message.number)) ?? null);
    else {
      await take(message.items);
      worker.postMessage(null);
    }
  }
}

const explain = (signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) throw new DomainError('invalid', 'Reading the file took too long. Split it.');
  if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    throw new DomainError('too_large', 'The file needs more memory than the server allows. Split it.');
  throw error;
};
