import { accounts as accountsOf, addApp, fullSync } from './kit/apps.ts';
import type { Options, Use } from './kit/options.ts';
import { makeFolder, type Service, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `embedded`: the sync of the scenario `sync` on PGlite, and how long `/healthz` waits during it. PGlite has no
 * floor to compare with, so compare two versions of Gatehouse in turns.
 */
export async function run({ large }: Options, use: Use) {
  const size = large ? 100_000 : 10_000;
  const { folder } = await use(makeFolder());
  const service = await use(startService({ folder }));
  const appId = await addApp(service);
  const accounts = accountsOf(size);
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
  await service.printPeakMemory();
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
