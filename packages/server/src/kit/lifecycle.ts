import type { Feature } from './feature.ts';
import type { Http } from './http/server.ts';
import type { Jobs } from './jobs/jobs.ts';
import { tickAll } from './loops/loop.ts';
import { closeWorkers } from './workers/pool.ts';

/** The background work of an app, and its end. */
export interface Lifecycle {
  /** Starts the background work. The app serves requests without it too. */
  startJobs(): Promise<void>;
  /** Does the background work of all loops that is due now, and all that it brings, whether they were started or not. For tests. */
  tick(): Promise<void>;
  /** Finishes the requests and jobs in progress (D42). Leaves the database open. */
  close(): Promise<void>;
}

/** `afterRequests` writes what the last requests have left. */
export function lifecycleOf(
  { http, jobs }: { http: Http; jobs: Jobs },
  features: readonly Feature[],
  afterRequests: () => Promise<void>,
): Lifecycle {
  const loops = features.flatMap((feature) => feature.loops ?? []);
  const callingLoops = features.flatMap((feature) => feature.callingLoops ?? []);
  const all = [...loops, ...callingLoops];
  let working = false;
  return {
    startJobs: async () => {
      await jobs.start();
      working = true;
      for (const { resume } of features) await resume?.();
      for (const loop of all) loop.start();
    },
    tick: () => tickAll(all),
    close: async () => {
      // Before the server closes, since a connector that ends abandons its session.
      for (const loop of callingLoops) await loop.stop();
      await http.close();
      await afterRequests();
      await Promise.all(loops.map((loop) => loop.stop()));
      for (const { close } of features) close?.();
      if (working) await jobs.stop();
      await closeWorkers();
    },
  };
}
