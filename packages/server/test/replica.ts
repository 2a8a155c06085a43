import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from '../../connector/src/conformance/port.ts';
import { keepProcess, openRunFolder } from './keeper.ts';
import { until } from './until.ts';

/** A streaming replica of a PostgreSQL server of this machine. */
export interface Replica {
  /** The address of the same database as in the address of the primary, for the superuser. */
  url: string;
  /** Stops and continues the replay of what the replica receives. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes it a primary of its own. */
  promote(): Promise<void>;
  /** Ends all its processes immediately, without a checkpoint. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Ends it and removes its data. It also ends with this process. */
  remove(): Promise<void>;
}

/** Runs `text` on the server at `url` as the only statement of a connection. */
export async function run<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Copies the data of the primary as a base backup does, and starts a standby on the copy. `extra` are server settings. */
export async function startReplica(primaryUrl: string, extra: string[] = []): Promise<Replica> {
  const folder = await openRunFolder();
  const dataDir = join(folder.path, 'data');
  const { postgres, uid, gid } = await copyData(primaryUrl, dataDir);
  await chown(folder.path, uid, gid);
  const primary = new URL(primaryUrl);
  const port = await freePort();
  const url = new URL(primaryUrl);
  url.port = String(port);
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'fsync=off',
    `primary_conninfo=host=127.0.0.1 port=${primary.port} user=${primary.username} password=${primary.password}`,
    'wal_retrieve_retry_interval=200ms',
    ...extra,
  ];

  let ended: Promise<unknown> = Promise.resolve();
  let kill = async () => {};
  const start = async () => {
    const server = spawn(postgres, ['-D', dataDir, ...settings.flatMap((setting) => ['-c', setting])], {
      uid,
      gid,
      stdio: 'ignore',
      detached: true,
    });
    ended = once(server, 'exit');
    const { pid = 0 } = server;
    const keeper = keepProcess(pid);
    kill = async () => {
      process.kill(pid, 'SIGQUIT');
      await ended;
      await keeper.release();
    };
    await untilReady(url.href, ended);
  };
  await start();

  return {
    url: url.href,
    pause: async () => {
      await run(url.href, 'select pg_wal_replay_pause()');
      await until(
        'the pause of the replica',
        () => run<{ state: string }>(url.href, 'select pg_get_wal_replay_pause_state() as state'),
        ([row]) => row?.state === 'paused',
      );
    },
    resume: async () => {
      await run(url.href, 'select pg_wal_replay_resume()');
    },
    promote: async () => {
      await run(url.href, 'select pg_promote()');
    },
    kill: () => kill(),
    start,
    remove: async () => {
      await kill().catch(() => {});
      await folder.remove();
    },
  };
}

/** Copies the files of a running primary. Returns its program, and the user who owns its files. */
async function copyData(primaryUrl: string, dataDir: string) {
  const client = new pg.Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ source: string; bin: string }>(`
      select current_setting('data_directory') as source, (select setting from pg_config where name = 'BINDIR') as bin`);
    const { source, bin } = rows[0] as { source: string; bin: string };
    const { uid, gid } = await stat(source);
    await client.query(`select pg_backup_start('replica', fast => true)`);
    // Keeps the owner. Files that disappear in the meantime are not part of the backup.
    const copy = spawn('cp', ['-a', source, dataDir], { stdio: 'ignore' });
    await once(copy, 'exit');
    await rm(join(dataDir, 'postmaster.pid'), { force: true });
    const { rows: backup } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(false)',
    );
    await writeFile(join(dataDir, 'backup_label'), backup[0]?.labelfile ?? '');
    await writeFile(join(dataDir, 'standby.signal'), '');
    for (const name of ['backup_label', 'standby.signal']) await chown(join(dataDir, name), uid, gid);
    return { postgres: join(bin, 'postgres'), uid, gid };
  } finally {
    await client.end();
  }
}

async function untilReady(url: string, ended: Promise<unknown>) {
  const failed = ended.then(() => Promise.reject(new Error('The replica did not start.')));
  failed.catch(() => {});
  const look = () => Promise.race([run(url, 'select 1').catch((error: Error) => error), failed]);
  await until('the replica', look, Array.isArray, { seconds: 100, everyMs: 20 });
}
