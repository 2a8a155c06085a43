import { migrate } from '../packages/server/src/kit/database/migrate.ts';
import { openDatabase } from '../packages/server/src/kit/database/open.ts';
import { prepareCluster } from '../packages/server/src/operate/cluster/prepare.ts';
import { createClusterDatabase, startCitus } from '../packages/server/test/citus.ts';
import { accounts, addApp, fullSync } from './kit/apps.ts';
import { median, timesInTurns } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { DURABLE, type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `cluster`: the same syncs and lists on one PostgreSQL and on a Citus cluster of a coordinator and two workers,
 * which needs GATEHOUSE_CITUS_DIR. All nodes share this machine, so that it measures what the detour through the
 * coordinator costs, not what more machines gain. Floor: the one PostgreSQL.
 */
const ROUNDS = 41;

const LISTS: [string, string][] = [
  ['GET /api/me/', '/api/me/'],
  ['accounts, first page', '/api/accounts/'],
  ['accounts, searched', '/api/accounts/?search=last77&count_to=500'],
  ['access of all accounts', '/api/history/access/?limit=100'],
  ['events', '/api/events/?limit=200'],
];

export async function run({ small }: Options, use: Use) {
  const size = small ? 5000 : 20_000;
  const database = await use(startDatabase(DURABLE));
  const alone = await use(startService(database.url));
  const citus = await use(startCluster());
  const spread = await use(startService(citus.url));
  const rows: (string | number)[][] = [];
  const row = (name: string, [floor = 0, ours = 0]: number[]) => rows.push([name, floor, ours, ours / floor]);
  const sides = [
    [alone, await addApp(alone)],
    [spread, await addApp(spread)],
  ] as const;
  const records = accounts(size);
  for (const name of ['first sync, s', 'unchanged re-sync, s']) {
    const seconds: number[] = [];
    for (const [service, app] of sides) {
      const { push, publish } = await fullSync(service, app, records);
      seconds.push(push + publish);
    }
    row(name, seconds);
  }
  for (const [name, path] of LISTS) {
    const asking = [alone, spread].map((service: Service) => () => service.call('GET', path));
    row(`${name}, ms`, (await timesInTurns(ROUNDS, asking, 5)).map(median));
  }
  printTable(`${size} accounts on one machine`, ['', 'one PostgreSQL', 'Citus, 1 + 2 nodes', 'ratio'], rows);
}

async function startCluster() {
  const citus = await startCitus(['wal_level = logical', 'max_wal_size = 8GB']);
  const url = await createClusterDatabase(citus.urls, 'gatehouse');
  const database = await openDatabase({ url });
  await migrate(database);
  await prepareCluster(database.db);
  await database.close();
  return { url, [Symbol.asyncDispose]: citus.stop };
}
