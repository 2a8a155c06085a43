import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { kitRefusals } from '../kit-sentences.ts';
import { threadEnvironment } from '../workers/environment.ts';
import type { Row } from './database.ts';
import type { Call, Copy, FailedStatement, Message, PgliteOptions } from './pglite-thread.ts';

export interface Result<R = Row> {
  rows: R[];
  /** The command tag without its count, such as `INSERT`. */
  command: string | undefined;
  affected: number | undefined;
}

/** PGlite in a thread of its own, so that no statement holds the event loop (ADR 11). It has a single connection. */
export interface PgliteClient {
  query<R>(text: string, values: readonly unknown[]): Promise<Result<R>>;
  /** Runs a text of several statements, and returns the result of each. */
  exec(text: string): Promise<Result[]>;
  /** Runs `copy … to '/dev/blob'`, and returns its output. */
  copy(text: string): Promise<Uint8Array>;
  listen(channel: string, onNotification: (payload: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
  /** Returns how many calls this process has sent. */
  sent(): number;
}

let compiled: Promise<WebAssembly.Module> | undefined;

/** Compiles PGlite once per process, so that each further database uses the machine code of the first. */
function compilePglite(): Promise<WebAssembly.Module> {
  compiled ??= readPglite().then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

const readPglite = () =>
  readFile(join(dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite')), 'pglite.wasm'));

type Waiting = Pick<PromiseWithResolvers<Copy[]>, 'resolve' | 'reject'>;

const stopped = kitRefusals.database_stopped;

/** Starts the thread and opens the folder `dataDir`. Calls `onDeath` if the open thread ends before `close`. */
export async function startPglite(
  dataDir: string,
  onDeath: (error: Error) => void = () => {},
): Promise<PgliteClient> {
  // Creating a database takes 200 MB, which are free again when the thread ends.
  const isNew = !dataDir.startsWith('memory://') && !existsSync(join(dataDir, 'PG_VERSION'));
  if (isNew) await (await startThread(dataDir)).close();
  return startThread(dataDir, onDeath);
}

async function startThread(
  dataDir: string,
  onDeath: (error: Error) => void = () => {},
): Promise<PgliteClient> {
  const program = await compilePglite();
  const worker = new Worker(new URL('./pglite-thread.ts', import.meta.url), {
    name: 'pglite',
    workerData: { dataDir, program } satisfies PgliteOptions,
    env: threadEnvironment(),
    execArgv: [],
  });
  const calls = new Map<number, Waiting>();
  const listeners = new Map<string, (payload: string) => void>();
  const opened = Promise.withResolvers<void>();
  let nextId = 1;
  let state: 'opening' | 'open' | 'closing' | 'ended' = 'opening';

  const settle = (id: number): Waiting | undefined => {
    const waiting = calls.get(id);
    calls.delete(id);
    // Only a call in progress keeps the process alive.
    if (calls.size === 0) worker.unref();
    return waiting;
  };
  worker.on('message', (message: Message) => {
    switch (message.kind) {
      case 'ready':
        worker.unref();
        state = 'open';
        return opened.resolve();
      case 'done':
        return settle(message.id)?.resolve(message.results);
      case 'failed': {
        const error = Object.assign(new Error(), message.error);
        settle(message.id)?.reject(error);
        // Further calls would wait forever.
        if (!isFatal(message.error)) return;
        end(error);
        return void worker.terminate();
      }
      case 'notification':
        return listeners.get(message.channel)?.(message.payload);
    }
  });
  const end = (error: Error) => {
    if (state === 'ended') return;
    const died = state === 'open';
    state = 'ended';
    opened.reject(error);
    for (const { reject } of calls.values()) reject(stopped());
    calls.clear();
    if (died) onDeath(error);
  };
  worker.on('error', end);
  worker.on('exit', () => end(stopped()));

  const send = (call: Call): Promise<Copy[]> => {
    if (state === 'ended') return Promise.reject(stopped());
    const { promise, resolve, reject } = Promise.withResolvers<Copy[]>();
    const id = nextId++;
    if (calls.size === 0) worker.ref();
    calls.set(id, { resolve, reject });
    worker.postMessage({ id, call });
    return promise;
  };

  await opened.promise;
  return {
    sent: () => nextId - 1,
    query: async <R>(text: string, values: readonly unknown[]) => {
      const [result] = await send({ do: 'query', text, values });
      return resultOf(result as Copy) as Result<R>;
    },
    exec: async (text) => (await send({ do: 'exec', text })).map(resultOf),
    copy: async (text) => {
      const [result] = await send({ do: 'copy', text });
      return result?.bytes ?? new Uint8Array();
    },
    listen: async (channel, onNotification) => {
      listeners.set(channel, onNotification);
      await send({ do: 'listen', channel });
      return async () => {
        listeners.delete(channel);
        await send({ do: 'unlisten', channel });
      };
    },
    close: async () => {
      if (state === 'ended') return;
      state = 'closing';
      try {
        await send({ do: 'close' });
      } finally {
        await worker.terminate();
      }
    },
  };
}

/** Whether PostgreSQL stopped: by itself, such as on a full disk, or because the program crashed. */
const isFatal = ({ severity, name }: FailedStatement) =>
  severity === 'PANIC' || severity === 'FATAL' || name === 'RuntimeError';

const resultOf = ({ columns, rows, command, affected }: Copy): Result => ({
  command,
  affected,
  rows: rows.map((values) => {
    const row: Row = {};
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
    return row;
  }),
});
