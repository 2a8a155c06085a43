import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Options, Use } from './kit/options.ts';
import { cpuSeconds, makeFolder, postmasterOf, startDatabase, startService } from './kit/service.ts';
import { printTable } from './kit/table.ts';

/**
 * Scenario `idle`: what servers that nobody asks anything cost in a minute, some time after their first start: the time of the processor,
 * memory, and statements. Floors in the same minute: a bare Node.js HTTP server, one with an open PGlite, and a PostgreSQL server that
 * nobody uses.
 */
const SETTLE_MS = 60_000;
const MEASURE_MS = 60_000;
const COUNTER = fileURLToPath(new URL('count-statements.ts', import.meta.url));
const PGLITE = join(import.meta.dirname, '../node_modules/@electric-sql/pglite/dist/index.js');

const HTTP = `import http from 'node:http'; http.createServer((_, response) => response.end()).listen(0, '127.0.0.1');`;
const WITH_PGLITE = `${HTTP}
  import { PGlite } from ${JSON.stringify(PGLITE)};
  globalThis.pglite = await PGlite.create(process.argv[1]);`;

interface Idler {
  name: string;
  pid: number;
  /** Returns the statements so far. */
  statements?(): Promise<number>;
}

export async function run(_: Options, use: Use) {
  const { folder } = await use(makeFolder());
  const counted = join(folder, 'statements');
  await writeFile(counted, '');
  const bare = await use(startProgram(HTTP));
  const barePglite = await use(startProgram(WITH_PGLITE, join(folder, 'bare')));
  const used = await use(startDatabase([]));
  const unused = await use(startDatabase([]));
  const service = await use(startService(used.url));
  const embedded = await use(
    startService(
      { folder: join(folder, 'embedded') },
      { NODE_OPTIONS: `--import ${COUNTER}`, GATEHOUSE_BENCH_STATEMENTS: counted },
    ),
  );
  await measure([
    { name: 'Gatehouse, embedded database', pid: embedded.pid, statements: () => sizeOf(counted) },
    { name: '  floor: Node.js, HTTP and PGlite', pid: barePglite.pid as number },
    { name: 'Gatehouse, PostgreSQL', pid: service.pid, statements: () => countTransactions(used.client) },
    { name: '  floor: Node.js and HTTP', pid: bare.pid as number },
    { name: 'its PostgreSQL', pid: await postmasterOf(used.client) },
    { name: '  floor: an unused PostgreSQL', pid: await postmasterOf(unused.client) },
  ]);
}

async function measure(idlers: readonly Idler[]) {
  await sleep(SETTLE_MS);
  const read = () =>
    Promise.all(
      idlers.map(async ({ pid, statements }) => ({
        cpu: await cpuSeconds(pid),
        statements: await statements?.(),
      })),
    );
  const before = await read();
  await sleep(MEASURE_MS);
  const after = await read();
  const rows = idlers.map(async ({ name, pid }, index) => {
    const [first, last] = [before[index], after[index]] as const;
    const { rss, pss } = await memoryOf(pid);
    const percent = (((last?.cpu ?? 0) - (first?.cpu ?? 0)) / (MEASURE_MS / 1000)) * 100;
    const statements = last?.statements === undefined ? '' : last.statements - (first?.statements ?? 0);
    return [name, percent, rss, pss, statements];
  });
  printTable(
    'idle for a minute',
    ['', 'CPU, % of a core', 'RSS, MB', 'PSS, MB', 'statements'],
    await Promise.all(rows),
  );
}

async function startProgram(program: string, ...parameters: string[]) {
  const args = ['--input-type=module', '--eval', program, ...parameters];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return { pid: child.pid, [Symbol.asyncDispose]: async () => void child.kill() };
}

/** Counts transactions, of which almost all have one statement. The one that counts is among them. */
async function countTransactions(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  );
  return Number(rows[0]?.n);
}

const sizeOf = async (file: string) => (await stat(file)).size;

/** Returns the memory of a process, and of its children if it is PostgreSQL, in megabytes. */
async function memoryOf(pid: number): Promise<{ rss: number; pss: number }> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
  const maps = await Promise.all(
    [pid, ...children].map((id) => readFile(`/proc/${id}/smaps_rollup`, 'utf8').catch(() => '')),
  );
  const sum = (field: string) =>
    maps.reduce(
      (total, map) => total + Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(map)?.[1] ?? 0),
      0,
    ) / 1000;
  return { rss: sum('Rss'), pss: sum('Pss') };
}
