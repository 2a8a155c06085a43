import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../connector/src/conformance/port.ts';
import { keepProcess, openRunFolder } from './keeper.ts';
import { run } from './replica.ts';
import { until } from './until.ts';

/** Debian's package `pgbouncer` has it. GATEHOUSE_PGBOUNCER names another version. */
const PROGRAM = process.env.GATEHOUSE_PGBOUNCER ?? '/usr/sbin/pgbouncer';
export const available = existsSync(PROGRAM);

/** Like PostgreSQL, it refuses to run as root. This is nobody's user on Debian. */
const NOBODY = 65_534;

export interface Pgbouncer {
  /** The address of the database behind it. */
  url: string;
  /** Changes its settings while it runs. */
  change(settings: Record<string, string>): Promise<void>;
  /** Ends it. It also ends with this process. */
  remove(): Promise<void>;
}

/** Starts a PgBouncer in front of the database at `target`, with these settings. */
export async function startPgbouncer(target: string, settings: Record<string, string>): Promise<Pgbouncer> {
  const folder = await openRunFolder();
  const file = join(folder.path, 'pgbouncer.ini');
  const port = await freePort();
  const write = (current: Record<string, string>) => writeFile(file, configuration(target, port, current));
  await write(settings);
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  if (user.uid !== undefined) for (const path of [folder.path, file]) await chown(path, NOBODY, NOBODY);
  const server = spawn(PROGRAM, ['-q', file], { ...user, stdio: 'ignore', detached: true });
  const ended = once(server, 'exit').then(() => Promise.reject(new Error('PgBouncer did not start.')));
  ended.catch(() => {});
  const keeper = keepProcess(server.pid ?? 0);
  const { pathname, username } = new URL(target);
  const admin = `postgres://${username}@127.0.0.1:${port}/pgbouncer`;
  const look = () => Promise.race([ask(admin, 'show version').catch((error: Error) => error), ended]);
  await until('PgBouncer', look, Array.isArray, { seconds: 30, everyMs: 20 });
  return {
    url: `postgres://${username}@127.0.0.1:${port}${pathname}`,
    change: async (changed) => {
      await write({ ...settings, ...changed });
      await ask(admin, 'reload');
    },
    remove: async () => {
      await keeper.release();
      await folder.remove();
    },
  };
}

/** Its console has only the simple protocol, and no types. */
const ask = (admin: string, command: string) => run(admin, command);

function configuration(target: string, port: number, settings: Record<string, string>): string {
  const { hostname, port: to, username, password, pathname } = new URL(target);
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: username,
    ...settings,
  };
  return [
    '[databases]',
    `${pathname.slice(1)} = host=${hostname} port=${to} dbname=${pathname.slice(1)} user=${username} password=${password}`,
    '[pgbouncer]',
    ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    '',
  ].join('\n');
}
