import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Service, startService } from './service.ts';
import { account, addApp, fullSync } from './sync.ts';
import { printTable } from './table.ts';

/**
 * Scenario `embedded`: the sync of the scenario `sync` on PGlite, and how long `/healthz` waits during it. PGlite has no
 * floor to compare with, so compare two versions of Gatehouse in turns.
 */
export async function run({ large }: { large: boolean }) {
  const size = large ? 100_000 : 10_000;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const service = await startService({ folder });
  try {
    const appId = await addApp(service);
    const accounts = Array.from({ length: size }, (_, index) => account(index, 0));
    const rows: (string | number)[][] = [];
    for (const name of ['first sync', 'unchanged re-sync']) {
      const lag = watchLag(service);
      const { push, publish } = await fullSync(service, appId, accounts);
      rows.push([name, size / (push + publish), push, publish, await lag.stop()]);
    }
    printTable(
      `sync of ${size} accounts into PGlite, 4 pushers`,
      ['', 'accounts/s', 'push s', 'publish s', 'longest wait of /healthz, ms'],
      rows,
    );
    console.log(`peak memory of the server: ${Math.round((await service.peakMemory()) / 1e6)} MB`);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}

/** Asks `/healthz` every 10 ms. */
function watchLag({ origin }: Service) {
  let longest = 0;
  let stopped = false;
  const watching = (async () => {
    while (!stopped) {
      const asked = performance.now();
      await (await fetch(`${origin}/healthz`)).arrayBuffer();
      longest = Math.max(longest, performance.now() - asked);
      await new Promise((wake) => setTimeout(wake, 10));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await watching;
      return longest;
    },
  };
}
