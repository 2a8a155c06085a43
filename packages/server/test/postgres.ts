import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));

export interface Postgres {
  /** The address of the database `postgres`, for the superuser. */
  url: string;
  /** The same by a Unix socket, which takes a quarter less time for each statement. */
  socketUrl: string;
  stop(): Promise<void>;
}

/**
 * Settings for tests that never kill PostgreSQL: nothing has to survive a crash of it. Statements that take seconds are printed with their
 * plans: tests have few rows, so the plan is a bad one.
 */
export const FAST = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['shared_preload_libraries=auto_explain', 'auto_explain.log_min_duration=5s'],
];

/**
 * Starts an empty PostgreSQL 18 on a free port, with its data below `parent`. `settings` are server settings, as
 * `name=value`. The server ends with `stop` or with this process: a keeper process runs it and waits for its pipe to
 * close.
 */
export async function startPostgres(settings: string[] = [], parent = tmpdir()): Promise<Postgres> {
  const keeper = spawn(process.execPath, [KEEPER, parent, ...settings], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // Ctrl-C must reach this process only, so that the keeper can stop the server properly.
    detached: true,
  });
  const ended = once(keeper, 'exit');
  const [line] = await Promise.race([
    once(createInterface(keeper.stdout), 'line') as Promise<[string]>,
    ended.then(() => Promise.reject(new Error('PostgreSQL did not start.'))),
  ]);
  const [, url, folder] = /^(\S+) (.+)$/.exec(line) as unknown as [string, string, string];
  return {
    url,
    socketUrl: `${url}?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}
