import { setTimeout as sleep } from 'node:timers/promises';
import { run as runOn, startReplica } from '../packages/server/test/replica.ts';
import { fill } from './history-seed.ts';
import { timed } from './kit/measure.ts';
import type { Options, Use } from './kit/options.ts';
import { type Service, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `replica`: what a streaming replica takes off the primary, for each GET. Two servers use the same database, and
 * one of them reads from the replica. Counts the statements of the primary, the blocks that they touch, and the time that
 * it spends on them, less what it does without requests. All run on one machine, so the time of a request shows the price of
 * the check and not the gain of a second machine.
 */
const ROUNDS = 200;

export async function run({ small }: Options, use: Use) {
  const database = await use(startDatabase(['shared_buffers=256MB']));
  const { client, url } = database;
  await fill(url, client, small ? { accounts: 1000, people: 100 } : { accounts: 20_000, people: 2000 });
  await client.query('vacuum analyze');
  const replica = await startReplica(url);
  await use(Promise.resolve({ [Symbol.asyncDispose]: replica.remove }));
  const plain = await use(startService(url));
  const reading = await use(startService(url, { DATABASE_READ_URL: replica.url }));
  await measure(plain, reading, url);
}

const QUESTIONS: [string, string][] = [
  ['accounts', '/api/accounts/?limit=200'],
  ['accounts, searched', '/api/accounts/?search=9&limit=50'],
  ['history of access', '/api/history/access/?limit=100'],
  ['comparison of a week', '/api/history/compare/?limit=100'],
  ['events', '/api/events/?limit=200'],
];

async function measure(plain: Service, reading: Service, url: string) {
  const rows: (string | number)[][] = [];
  for (const [name, path] of QUESTIONS) {
    for (const [side, service] of [
      ['primary', plain],
      ['replica', reading],
    ] as const) {
      for (let round = 0; round < 10; round++) await service.call('GET', path);
      const before = await counters(url);
      const elapsed = await timed(async () => {
        for (let round = 0; round < ROUNDS; round++) await service.call('GET', path);
      });
      const after = await counters(url);
      await sleep(elapsed);
      const idle = await counters(url);
      const each = (count: keyof Counters) =>
        Math.max(0, after[count] - before[count] - (idle[count] - after[count])) / ROUNDS;
      rows.push([`${name}, ${side}`, each('statements'), each('blocks'), each('ms'), elapsed / ROUNDS]);
    }
  }
  printTable(
    `the primary's work for each GET`,
    ['', 'statements', 'blocks', 'ms', 'ms of the request'],
    rows,
  );
}

interface Counters {
  statements: number;
  blocks: number;
  ms: number;
}

/** Reads the counters of the primary. Backends report them within a second after they become idle. */
async function counters(url: string): Promise<Counters> {
  await sleep(1500);
  const [row] = await runOn<Counters>(
    url,
    `select xact_commit::int as statements, (blks_hit + blks_read)::int as blocks, active_time as ms
    from pg_stat_database where datname = current_database()`,
  );
  return row as Counters;
}
