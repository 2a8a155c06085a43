import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { freePort } from '../packages/connector/src/conformance/port.ts';

const MAIN = fileURLToPath(new URL('../packages/server/src/main.ts', import.meta.url));
/** The options for the heap that `npm start` has. */
const HEAP = packageJson.scripts.start.match(/--[\w-]+=\d+/g) ?? [];
/** Its environment variables. */
const ENVIRONMENT = Object.fromEntries(
  (packageJson.scripts.start.match(/\b[A-Z_]+=\d+/g) ?? []).map((one) => one.split('=') as [string, string]),
);
export const KEY = 'bench-0123456789-0123456789-0123456789';

export const SECRET_KEY = 'dGhlIHNlY3JldCBrZXkgb2YgdGhlIGJlbmNobWFya3M=';

/** A Gatehouse process under test. */
export interface Service {
  /** Its origin, `http://127.0.0.1:port`. */
  origin: string;
  baseUrl: string;
  /** Sends and receives JSON. Throws for every status except 2xx. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** Returns the CPU time of the process so far, in seconds. */
  cpuSeconds(): Promise<number>;
  pid: number;
  /** Returns the peak memory of the process so far, in bytes. */
  peakMemory(): Promise<number>;
  stop(): Promise<void>;
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
    peakMemory: () => peakMemory(server.pid as number),
    stop: async () => {
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

async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
