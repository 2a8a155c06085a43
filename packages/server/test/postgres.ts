import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url));

export interface Postgres {
  /** The address of the database `postgres`, for the superuser. */
  url: string;
  stop(): Promise<void>;
}

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
  const [url] = await Promise.race([
    once(createInterface(keeper.stdout), 'line') as Promise<[string]>,
    ended.then(() => Promise.reject(new Error('PostgreSQL did not start.'))),
  ]);
  return {
    url,
    stop: async () => {
      keeper.stdin.end();
      await ended;
    },
  };
}
