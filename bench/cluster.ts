import { migrate } from '../packages/server/src/kit/database/migrate.ts';
import { openDatabase } from '../packages/server/src/kit/database/open.ts';
import { prepareCluster } from '../packages/server/src/operate/cluster/prepare.ts';
import { createClusterDatabase, startCitus } from '../packages/server/test/citus.ts';
import { startPostgres } from '../packages/server/test/postgres.ts';
import { type Service, startService } from './service.ts';
import { account, addApp, fullSync } from './sync.ts';
import { printTable } from './table.ts';

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

export async function run({ small }: { small: boolean }) {
  const size = small ? 5000 : 20_000;
  const alone = await onPostgres();
  const spread = await onCitus();
  try {
    const rows: (string | number)[][] = [];
    const apps = [await addApp(alone.service), await addApp(spread.service)] as const;
    const records = Array.from({ length: size }, (_, index) => account(index, 0));
    for (const name of ['first sync, s', 'unchanged re-sync, s']) {
      const seconds = async ({ service }: Side, app: string) => {
        const { push, publish } = await fullSync(service, app, records);
        return push + publish;
      };
      const [floor, ours] = [await seconds(alone, apps[0]), await seconds(spread, apps[1])];
      rows.push([name, floor, ours, ours / floor]);
    }
    for (const [name, path] of LISTS) {
      const [floor, ours] = await medians(alone.service, spread.service, path);
      rows.push([`${name}, ms`, floor, ours, ours / floor]);
    }
    printTable(
      `${size} accounts on one machine`,
      ['', 'one PostgreSQL', 'Citus, 1 + 2 nodes', 'ratio'],
      rows,
    );
  } finally {
    await alone.stop();
    await spread.stop();
  }
}

interface Side {
  service: Service;
  stop(): Promise<void>;
}

async function onPostgres(): Promise<Side> {
  const postgres = await startPostgres(['synchronous_commit=on', 'max_wal_size=8GB']);
  const service = await startService(postgres.url);
  return { service, stop: () => service.stop().then(postgres.stop) };
}

async function onCitus(): Promise<Side> {
  const citus = await startCitus(['wal_level = logical', 'max_wal_size = 8GB']);
  const url = await createClusterDatabase(citus.urls, 'gatehouse');
  const database = await openDatabase({ url });
  await migrate(database);
  await prepareCluster(database.db);
  await database.close();
  const service = await startService(url);
  return { service, stop: () => service.stop().then(citus.stop) };
}

/** Asks both in turns, so that other load on the machine affects them equally. */
async function medians(alone: Service, spread: Service, path: string): Promise<[number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -5; round < ROUNDS; round++) {
    for (const [side, service] of [alone, spread].entries()) {
      const started = performance.now();
      await service.call('GET', path);
      if (round >= 0) times[side]?.push(performance.now() - started);
    }
  }
  return times.map((list) => list.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0) as [number, number];
}
