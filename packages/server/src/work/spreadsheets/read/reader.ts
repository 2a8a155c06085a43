import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DomainError } from '#kit/errors.ts';
import { memory, shares } from '#kit/memory.ts';
import { withRest } from '#kit/pacer.ts';
import { threadEnvironment } from '#kit/workers/environment.ts';
import { uploadRefusals } from '../sentences.ts';
import type { Message, Task } from './read-task.ts';

const FILE = new URL('./read.worker.ts', import.meta.url);
const LONGEST_MS = 15 * 60_000;
/** The part of a reader's memory for the file and the texts of a workbook, which are outside the heap of the thread. */
const OUTSIDE_HEAP_MEGABYTES = 192;
/** How long a request waits for memory, while the server reads other files. A job waits as long as it may take. */
const PATIENCE_MS = 120_000;

export interface Source {
  /** Returns a chunk of the file, or undefined after the last one. */
  chunk(number: number): Promise<Uint8Array | undefined>;
  /** Takes problems, records or rows. The worker waits until it has returned. */
  take?(items: unknown[]): Promise<void>;
}

/**
 * Reads a file in a thread that has bounded memory and no secrets, since strangers may have written the file. Waits for other files of
 * the organization, and for memory. Throws the error of an unreadable file, and 503 if the wait takes too long.
 */
export function readInWorker<T>(orgId: string, task: Task, source: Source): Promise<T> {
  const isForRequest = task.read === 'columns' || task.read === 'rows';
  const { reader } = shares();
  return memory.run(orgId, reader, isForRequest ? PATIENCE_MS : LONGEST_MS, () =>
    withRest(() => read<T>(task, source, reader - OUTSIDE_HEAP_MEGABYTES)),
  );
}

async function read<T>(task: Task, { chunk, take }: Source, heapMegabytes: number): Promise<T> {
  const worker = new Worker(FILE, {
    workerData: task,
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  try {
    return (await converse(worker, chunk, take ?? (async () => {}))) as T;
  } finally {
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
      if (request.type === 'refused') throw new DomainError(request.code, request.said);
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
  if (signal.aborted) throw uploadRefusals.reading_too_long();
  if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY')
    throw uploadRefusals.reading_too_large();
  throw error;
}
