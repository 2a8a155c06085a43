import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

const KEEPER = fileURLToPath(new URL('./citus-keeper.ts', import.meta.url));

export interface Citus {
  /** The addresses of the database `postgres` on the coordinator and on both workers, for the superuser. */
  urls: [string, string, string];
  /** Kills the server of a node with SIGKILL. */
  kill(node: number): Promise<void>;
  /** Starts a killed node again, and waits until it accepts connections. */
  start(node: number): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of a PostgreSQL with Citus. Undefined: there is none, and its tests are skipped. */
const citusFolder = () => process.env.GATEHOUSE_CITUS_DIR || undefined;

/**
 * Starts a coordinator and two workers on free ports, with their data below `parent`. `settings` are lines of
 * postgresql.conf. They end with `stop` or with this process.
 */
export async function startCitus(settings: string[] = [], parent = tmpdir()): Promise<Citus> {
  const folder = citusFolder();
  if (folder === undefined) throw new Error('GATEHOUSE_CITUS_DIR is not set.');
  const keeper = spawn(process.execPath, [KEEPER, folder, parent, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C must reach this process only, so that the keeper can stop the nodes properly.
    detached: true,
  });
  const ended = once(keeper, 'exit');
  const lines = createInterface(keeper.stdout);
  const nextLine = () =>
    Promise.race([
      once(lines, 'line') as Promise<[string]>,
      ended.then(() => Promise.reject(new Error('The Citus cluster ended.'))),
    ]);
  const [urls] = await nextLine();
  const order = async (line: string) => {
    const answer = nextLine();
    keeper.stdin.write(`${line}\n`);
    await answer;
  };
  return {
    urls: JSON.parse(urls) as [string, string, string],
    kill: (node) => order(`kill ${node}`),
    start: (node) => order(`start ${node}`),
    stop: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Returns the address of another database on the same server. */
export function databaseAt(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = name;
  return address.href;
}

/** Runs statements one by one on the database of `url`. */
export async function administer(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Creates an empty database on all nodes and makes a cluster of it. Returns its address on the coordinator. */
export async function createClusterDatabase(urls: readonly string[], name: string): Promise<string> {
  for (const url of urls) {
    await administer(url, `create database ${name}`);
    await administer(databaseAt(url, name), 'create extension citus');
  }
  const [coordinator = '', ...workers] = urls.map((url) => databaseAt(url, name));
  const node = (url: string) => `'127.0.0.1', ${new URL(url).port}`;
  await administer(
    coordinator,
    `select citus_set_coordinator_host(${node(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${node(worker)})`),
  );
  return coordinator;
}

/** Drops a database. A daemon of Citus may connect to it again in the meantime: then it tries again. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await administer(url, `drop database if exists ${name} with (force)`);
    } catch (error) {
      const isInUse = error instanceof pg.DatabaseError && error.code === '55006';
      if (!isInUse || attempt === 20) throw error;
      await sleep(250);
    }
  }
}

/**
 * Copies a database on all nodes. The metadata of Citus is inside the database, and is valid in the copy. In a cluster,
 * a statement of the copy that does not go to the shard of one organization fails, and tests may create triggers.
 */
export async function cloneDatabase(urls: readonly string[], name: string, template: string): Promise<void> {
  const settings = [
    `alter database ${name} set citus.multi_task_query_log_level = 'error'`,
    `alter database ${name} set citus.enable_unsafe_triggers = on`,
  ];
  await Promise.all(
    urls.map((url) =>
      administer(
        url,
        `create database ${name} template ${template} strategy file_copy`,
        ...(urls.length > 1 ? settings : []),
      ),
    ),
  );
}
