import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { freePort } from '../../packages/connector/src/conformance/port.ts';
import { startPostgres } from '../../packages/server/test/postgres.ts';

const MAIN = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
/** The options for the heap that `npm start` has. */
const HEAP = packageJson.scripts.start.match(/--[\w-]+=\d+/g) ?? [];
/** Its environment variables. */
const ENVIRONMENT = Object.fromEntries(
  (packageJson.scripts.start.match(/\b[A-Z_]+=\d+/g) ?? []).map((one) => one.split('=') as [string, string]),
);
export const KEY = 'bench-0123456789-0123456789-0123456789';

export const SECRET_KEY = 'dGhlIHNlY3JldCBrZXkgb2YgdGhlIGJlbmNobWFya3M=';

/** The settings of a PostgreSQL whose commits wait for the disk. */
export const DURABLE = ['synchronous_commit=on', 'max_wal_size=8GB'];

/** Starts an empty PostgreSQL with these settings, and connects to it. */
export async function startDatabase(settings: string[]) {
  const postgres = await startPostgres(settings);
  const client = await connect(postgres.url);
  return {
    url: postgres.url,
    client,
    [Symbol.asyncDispose]: async () => {
      await client.end();
      await postgres.stop();
    },
  };
}

export async function connect(url: string, options = ''): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  return client;
}

/** Opens a connection for each client that works at the same time. */
export async function connectAll(count: number, url: string, options?: string) {
  const clients = await Promise.all(Array.from({ length: count }, () => connect(url, options)));
  return Object.assign(clients, { end: () => Promise.all(clients.map((client) => client.end())) });
}

/** Returns the id of the main process of a PostgreSQL server. */
export async function postmasterOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ file: string }>(`select pg_read_file('postmaster.pid') as file`);
  return Number.parseInt(rows[0]?.file ?? '', 10);
}

/** Makes a temporary folder. */
export async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Runs the statements, and prints how long each took. */
export async function runStatements(client: pg.Client, statements: [what: string, statement: string][]) {
  for (const [what, statement] of statements) {
    const started = performance.now();
    await client.query(statement);
    console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

/** A Gatehouse process under test. It ends with the scenario (`use`). */
export interface Service extends AsyncDisposable {
  /** Its origin, `http://127.0.0.1:port`. */
  origin: string;
  baseUrl: string;
  /** Sends and receives JSON. Throws for every status except 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Returns the CPU time of the process so far, in seconds. */
  cpuSeconds(): Promise<number>;
  pid: number;
  /** Prints the peak memory of the process so far. */
  printPeakMemory(aim?: string): Promise<void>;
}

/**
 * Starts the server as `npm start` does, on a free port and without rate limits. `database` is the address of a
 * PostgreSQL server, or a folder for the embedded database. `settings` are further environment variables.
 */
export async function startService(
  database: string | { folder: string },
  settings: Record<string, string> = {},
): Promise<Service> {
  const port = await freePort();
  const server = spawn(process.execPath, [...HEAP, MAIN], {
    env: {
      ...process.env,
      ...ENVIRONMENT,
      PORT: String(port),
      ...(typeof database === 'string'
        ? { DATABASE_URL: database, GATEHOUSE_SECRET_KEY: SECRET_KEY }
        : { DATABASE_URL: '', GATEHOUSE_DATA_DIR: database.folder }),
      GATEHOUSE_API_KEY: KEY,
      GATEHOUSE_RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stopped = once(server, 'exit');
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin, server);
  const baseUrl = `${origin}/org/acme`;
  return {
    origin,
    baseUrl,
    call: (method, path, body) => call(baseUrl + path, method, body),
    pid: server.pid as number,
    cpuSeconds: () => cpuSeconds(server.pid as number),
    printPeakMemory: async (aim = '') => {
      const peak = await peakMemory(server.pid as number);
      console.log(`peak memory of the server: ${Math.round(peak / 1e6)} MB${aim}`);
    },
    [Symbol.asyncDispose]: async () => {
      server.kill('SIGTERM');
      await stopped;
    },
  };
}

async function ready(origin: string, server: ChildProcess) {
  for (let tries = 0; tries < 900; tries++) {
    if (server.exitCode !== null) throw new Error('The server exited before it was ready.');
    const response = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  throw new Error('The server was not ready within 90 seconds.');
}

async function call<T>(url: string, method: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Api-Key ${KEY}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

const TICKS = 100;

/** Returns the CPU time of a process and of all children that it has had, in seconds. */
export async function cpuSeconds(pid: number): Promise<number> {
  const timesOf = async (id: number | string) =>
    (await readFile(`/proc/${id}/stat`, 'utf8'))
      .replace(/^.*\) /s, '')
      .split(' ')
      .slice(11, 15)
      .map(Number);
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).split(' ').filter(Boolean);
  // A child may end in between: its parent then has its time.
  const times = await Promise.all([pid, ...children].map((id) => timesOf(id).catch(() => [0])));
  return times.flat().reduce((sum, ticks) => sum + ticks, 0) / TICKS;
}

/** Returns the peak memory of a process so far, in bytes. */
export async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
