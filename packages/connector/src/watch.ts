import { setTimeout as sleep } from 'node:timers/promises';
import { Exit, Failure, reason } from './errors.ts';
import { type Run, runSync, type SyncOptions, type SyncResult } from './sync.ts';
import { workOffTasks } from './tasks.ts';

export type WatchOptions = SyncOptions & {
  /** Seconds between full syncs. */
  every: number;
  /** Seconds between polls for tasks: 30 to 60, never under 10 (protocol 8). */
  poll: number;
  /** True to carry out tasks. */
  provisioning: boolean;
  onSync(result: SyncResult): void;
};

const firstRetry = 60;

/** Syncs repeatedly, and carries out tasks if enabled, until interrupted. Throws only if the key is rejected. */
export async function watch(run: Run, options: WatchOptions): Promise<void> {
  const loops = [syncLoop(run, options)];
  if (options.provisioning) loops.push(taskLoop(run, options));
  await Promise.all(loops);
}

async function syncLoop(run: Run, options: WatchOptions): Promise<void> {
  let failures = 0;
  while (!run.signal.aborted) {
    const ok = await attempt(run, 'sync', async () => options.onSync(await runSync(run, options)));
    failures = ok ? 0 : failures + 1;
    await pause(run, ok ? options.every : Math.min(options.every, firstRetry * 2 ** (failures - 1)));
  }
}

async function taskLoop(run: Run, { poll }: WatchOptions): Promise<void> {
  while (!run.signal.aborted) {
    await attempt(run, 'tasks', () => workOffTasks(run));
    await pause(run, poll);
  }
}

async function attempt(run: Run, what: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (run.signal.aborted) return false;
    if (error instanceof Failure && error.exit === Exit.auth) throw error;
    run.progress.warn(`${what}: ${reason(error)}`);
    return false;
  }
}

async function pause({ signal }: Run, seconds: number): Promise<void> {
  await sleep(seconds * 1000, undefined, { signal }).catch(() => {});
}
