import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../platform/errors.ts';
import type { Message, Task } from './read.worker.ts';

const FILE = new URL('./read.worker.ts', import.meta.url);
const MEGABYTES = 768;
const LONGEST_MS = 15 * 60_000;
/** Files that a process reads at once for requests. Jobs are not counted: they run one after the other. */
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
  const share = task.read === 'columns' || task.read === 'rows' ? 1 : 0;
  if (share === 1 && readers >= MOST_READERS)
    throw new DomainError('unavailable', 'The server is reading other files. Try again in a moment.');
  readers += share;
  const worker = new Worker(FILE, {
    workerData: task,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
  });
  try {
    return (await converse(worker, chunk, take ?? (async () => {}))) as T;
  } finally {
    readers -= share;
    await worker.terminate();
  }
}

async function converse(
  worker: Worker,
  chunk: Source['chunk'],
  take: NonNullable<Source['take']>,
): Promise<unknown> {
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    for await (const [{ id, message }] of on(worker, 'message', { signal, close: ['exit'] })) {
      const request = message as Message;
      if (request.type === 'done') return request.result;
      if (request.type === 'refused') throw new DomainError(request.code, request.detail);
      const value =
        request.type === 'chunk' ? ((await chunk(request.number)) ?? null) : await take(request.items);
      worker.postMessage({ id, value });
    }
  } catch (error) {
    explain(signal, error);
  }
  throw new Error('The reader of a file ended early.');
}

function explain(signal: AbortSignal, error: unknown): never {
  if (signal.aborted)
    throw new DomainError(
      'invalid',
      'Reading the file took too long. Remove the columns that you do not import, or save the sheet as CSV.',
    );
  if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    throw new DomainError(
      'too_large',
      'The file needs more memory than the server allows. Remove the columns that you do not import, or save the sheet as CSV.',
    );
  throw error;
}
