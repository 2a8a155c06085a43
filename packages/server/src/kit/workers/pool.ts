import { availableParallelism } from 'node:os';
import { Piscina } from 'piscina';
import { DomainError } from '../errors.ts';
import { kitRefusals } from '../kit-sentences.ts';
import { shares } from '../memory.ts';
import { threadEnvironment } from './environment.ts';
import type { Outcome } from './thread.ts';

/** A function that runs in a worker thread: the export `run` of a file named `*.worker.ts`. */
type Task = (input: never) => unknown;

interface Options {
  timeoutMs?: number;
  /** Memory of the input that passes to the thread instead of being copied. */
  transfer?: readonly ArrayBuffer[];
}

const THREADS = Math.min(Math.max(availableParallelism() - 1, 2), 4);
const LONGEST_QUEUE = 64;
const IDLE_MS = 30_000;

const busy = kitRefusals.server_busy;

let pool: Piscina | undefined;

/** Starts the pool with its first task, so that a process without such work pays nothing. */
const openPool = () =>
  new Piscina({
    filename: new URL('./thread.ts', import.meta.url).href,
    name: 'runTask',
    minThreads: 0,
    maxThreads: THREADS,
    maxQueue: LONGEST_QUEUE,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: shares().thread },
    // Tasks parse what strangers send: they do not get the secrets of the environment.
    env: threadEnvironment(),
    execArgv: [],
    recordTiming: false,
  });

/**
 * Runs the export `run` of `file` in a worker thread, for work on a request that may take longer than the event loop
 * may wait. Input and result are copied, except `transfer`. A `DomainError` arrives as one. Throws `unavailable` if too many tasks wait,
 * and after `timeoutMs`, which includes the wait and ends the thread.
 *
 *     import type { run } from './parse.worker.ts';
 *     const people = await runInWorker<typeof run>(new URL('./parse.worker.ts', import.meta.url), text);
 */
export async function runInWorker<T extends Task>(
  file: URL,
  input: Parameters<T>[0],
  { timeoutMs = 10_000, transfer = [] }: Options = {},
): Promise<Awaited<ReturnType<T>>> {
  pool ??= openPool();
  if (pool.queueSize >= LONGEST_QUEUE) throw busy();
  const signal = AbortSignal.timeout(timeoutMs);
  let outcome: Outcome;
  try {
    // The types of Piscina expect the options of postMessage here, and its code the list.
    const transferList = transfer as never;
    outcome = await pool.run({ file: file.href, input }, { signal, transferList });
  } catch (error) {
    if (signal.aborted) {
      throw kitRefusals.request_too_slow({ seconds: timeoutMs / 1000 });
    }
    if ((error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY') {
      throw kitRefusals.request_needs_memory();
    }
    throw error;
  }
  if ('refused' in outcome) {
    const { code, said, extra } = outcome.refused;
    throw new DomainError(code, said, extra);
  }
  return outcome.result as Awaited<ReturnType<T>>;
}

/** Ends the threads. Waits for the tasks in progress. The next task starts them again. */
export async function closeWorkers(): Promise<void> {
  const open = pool;
  pool = undefined;
  await open?.close();
}
