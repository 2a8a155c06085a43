import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DatabaseOptions } from '#kit/database/open.ts';
import { freePort } from '../../connector/src/conformance/port.ts';
import { keepProcess } from './keeper.ts';
import { SECRET_KEY } from './secrets.ts';
import { until } from './until.ts';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The service in a separate process, for tests that kill it or use it like any client. */
export interface Service {
  /** Its origin, `http://127.0.0.1:port`. */
  url: string;
  /** The API key of the first start. */
  key: string;
  pid: number;
  /** Returns everything printed so far. */
  output(): string;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  /** The database: `options` of a test database, or a folder, which may not exist yet. */
  database: DatabaseOptions;
  /** Defaults to a free port. */
  port?: number;
  key?: string;
  environment?: Record<string, string>;
  command?: [string, ...string[]];
  /** Defaults to that of this repository. */
  cwd?: string;
}

const MAIN = [process.execPath, 'packages/server/src/main.ts'] as const;

/** Starts the service and waits until it is ready. It stops together with this process. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { database, key = `test-${randomUUID()}`, environment = {}, command = MAIN, cwd = ROOT } = options;
  const port = options.port ?? (await freePort());
  const [program, ...parameters] = command;
  const child = spawn(program, parameters, {
    cwd,
    env: {
      ...withoutSettings(process.env),
      PORT: String(port),
      DATABASE_URL: database.url ?? '',
      GATEHOUSE_DATA_DIR: database.dataDir ?? '',
      GATEHOUSE_SECRET_KEY: SECRET_KEY,
      GATEHOUSE_API_KEY: key,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const output = collectOutput(child);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const keeper = keepProcess(child.pid ?? 0);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child, output);
  return {
    url,
    key,
    pid: child.pid ?? 0,
    output,
    stop: async () => {
      await keeper.release();
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
      await keeper.release();
    },
  };
}

/** Collects everything that a process prints. */
export function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return () => text;
}

async function untilReady(url: string, child: ChildProcess, output: () => string) {
  const look = async () => {
    const answer = await fetch(`${url}/readyz`).catch(() => undefined);
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`The service ended with ${child.exitCode ?? child.signalCode}:\n${output()}`);
    }
    return { ready: answer?.ok === true, status: answer?.status, output: output() };
  };
  await until('the service', look, ({ ready }) => ready, { seconds: 100, everyMs: 50 });
}

/** Removes settings of the developer's shell, on which tests must not depend. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ours = /^(GATEHOUSE_.*|DATABASE_URL|PORT|HOST|LOG_LEVEL|NODE_ENV|VITEST.*)$/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !ours.test(name)));
}
