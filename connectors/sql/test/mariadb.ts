import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gatehouse/connector/conformance';
import mysql from 'mysql2/promise';

const program = '/usr/sbin/mariadbd';

/** Why tests with MariaDB cannot run here, or undefined. */
export const missingMariaDb = existsSync(program) ? undefined : 'MariaDB is not installed (mariadb-server)';

/** Starts a MariaDB server for tests in a folder of its own. As root, it runs as the user that the package created. */
export async function startMariaDb() {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mariadb-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) execFileSync('chown', ['mysql', folder]);
  chmodSync(folder, 0o755);
  const user = isRoot ? ['--user=mysql'] : [];
  execFileSync(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const port = await freePort();
  const server = spawn(
    program,
    [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(folder, 'socket')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--innodb-flush-log-at-trx-commit=0',
      ...user,
    ],
    { stdio: 'ignore' },
  );
  const socketPath = join(folder, 'socket');
  const connect = () => mysql.createConnection({ socketPath, user: 'root', multipleStatements: true });
  const admin = await firstConnection(server, connect);
  return {
    port,
    admin,
    /** Ends the server immediately, as a crash would. */
    crash: () => ended(server, 'SIGKILL'),
    async stop() {
      admin.destroy();
      await ended(server, 'SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Tries to connect until the server accepts it or has ended. */
async function firstConnection(server: ChildProcess, connect: () => Promise<mysql.Connection>) {
  for (;;) {
    try {
      return await connect();
    } catch (error) {
      if (server.exitCode !== null) throw new Error('MariaDB did not start', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
