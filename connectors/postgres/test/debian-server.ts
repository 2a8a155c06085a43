import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const versions = '/usr/lib/postgresql';
const [newest] = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a)) : [];
const program = (name: string) => join(versions, newest ?? '', 'bin', name);

/** Requires Debian's package `postgresql`, and root. */
export const available = existsSync(program('postgres')) && process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. Debian's package has made this user. */
const asPostgres = ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--'];

/** Starts the PostgreSQL server of Debian's package, with the superuser `admin`. */
export async function startDebian(folder: string, port: number) {
  const [data, secret] = [join(folder, 'data'), join(folder, 'password')];
  const id = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }));
  mkdirSync(data);
  writeFileSync(secret, 'admin-password');
  for (const path of [folder, data, secret]) chownSync(path, id, -1);
  const options = ['--username=admin', `--pwfile=${secret}`, '--auth=scram-sha-256', '--no-sync'];
  execFileSync('/usr/bin/setpriv', [...asPostgres, program('initdb'), '-D', data, ...options]);
  let child: ChildProcess | undefined;
  const server = {
    async start() {
      const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off', '-k', folder];
      const own = spawn(
        '/usr/bin/setpriv',
        [...asPostgres, program('postgres'), '-D', data, '-p', String(port), ...settings],
        {
          stdio: 'ignore',
        },
      );
      child = own;
      const end = () => void own.kill('SIGKILL');
      process.once('exit', end);
      own.once('exit', () => process.off('exit', end));
      await ready(port, own);
    },
    async stop() {
      const own = child;
      if (!own || own.exitCode !== null) return;
      const ended = new Promise((resolve) => own.once('exit', resolve));
      // Ends sessions and stops in good order.
      own.kill('SIGINT');
      await ended;
    },
  };
  await server.start();
  return server;
}

const LONGEST_START_MS = 60_000;

async function ready(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + LONGEST_START_MS;
  for (;;) {
    const client = new pg.Client(`postgres://admin:admin-password@127.0.0.1:${port}/postgres`);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > until || child.exitCode !== null) throw error;
      await sleep(100);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
