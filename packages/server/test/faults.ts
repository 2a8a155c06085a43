import pg from 'pg';
import { type DatabaseOptions, openDatabase } from '#kit/database/open.ts';
import type { Engine } from '#kit/database.ts';
import type { Answer } from './app.ts';
import type { Service } from './service.ts';
import { until } from './until.ts';

/** Why a test cannot hold statements (holdBefore, holdApp) on an engine. */
export const NO_HOLD: Partial<Record<Engine, string>> = {
  pglite: 'PGlite is one connection',
  citus: 'the lock of a hold does not reach the shards of a cluster',
};

/** Stops the service at one point, from separate connections. PostgreSQL only (NO_HOLD). */
export interface Hold {
  /** Resolves once this many statements wait at the point, or behind a statement that does. */
  untilReached(count?: number): Promise<void>;
  /** Lets all waiting statements continue. */
  release(): Promise<void>;
  /** Resolves once the service has no connection: the open transactions of a killed process are rolled back. */
  untilGone(): Promise<void>;
  close(): Promise<void>;
}

const LOCK = 4711;

/** By default, the first sync session of the database is not held. */
const SECOND_SESSION = '(select count(*) from sync_session) > 1';

const trigger = (point: string, action: string, condition = SECOND_SESSION) => `
  create or replace function hold() returns trigger language plpgsql as $$
  begin
    if ${condition} then perform ${action}; end if;
    return null;
  end $$;
  create or replace trigger hold before ${point} for each statement execute function hold()`;

/** Holds statements before `point`, such as `insert on membership`, until released, while an SQL condition holds. */
export async function holdBefore(url: string, point: string, condition?: string): Promise<Hold> {
  const holder = await connect(url);
  await holder.query(trigger(point, `pg_advisory_xact_lock(${LOCK})`, condition));
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock($1)', [LOCK]);
  return holding(url, holder);
}

/** Holds all steps that change the app's inventory, because they lock the app. */
export async function holdApp(url: string, appId: string): Promise<Hold> {
  const holder = await connect(url);
  await holder.query('begin');
  await holder.query('select from app where id = $1 for update', [appId]);
  return holding(url, holder);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'hold' });
  await client.connect();
  return client;
}

async function holding(url: string, holder: pg.Client): Promise<Hold> {
  const watcher = await connect(url);
  const pid = (await holder.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const count =
    (query: string, values: unknown[] = []) =>
    async () =>
      (await watcher.query<{ n: number }>(query, values)).rows[0]?.n ?? 0;
  return {
    untilReached: async (wanted = 1) => {
      const waiting = count(
        `with recursive held (pid) as (
           select $1::integer union
           select a.pid from pg_stat_activity a join held h on h.pid = any(pg_blocking_pids(a.pid))
           where a.datname = current_database()
         ) select count(*) - 1 as n from held`,
        [pid],
      );
      await until(`${wanted} held statements`, waiting, (n) => n >= wanted, { seconds: 100, everyMs: 5 });
    },
    release: async () => {
      await holder.query('commit');
    },
    untilGone: async () => {
      const connections = count(
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and application_name <> 'hold'`,
      );
      await until('the end of the connections', connections, (n) => n === 0, { everyMs: 5 });
    },
    close: async () => {
      await holder.end();
      await watcher.end();
    },
  };
}

/** Stops the service inside a statement, on both engines, so that a test can kill it there. */
export interface Stall {
  untilReached(service: Service): Promise<void>;
  /** Call it after the service was killed. */
  lift(): Promise<void>;
}

/** Stalls statements before `point`, as holdBefore does. The service must not be running yet. Not on a cluster. */
export async function stallBefore(
  options: DatabaseOptions,
  point: string,
  condition?: string,
): Promise<Stall> {
  if (options.url !== undefined) {
    const hold = await holdBefore(options.url, point, condition);
    return {
      untilReached: () => hold.untilReached(),
      lift: async () => {
        await hold.release();
        await hold.untilGone();
        await hold.close();
      },
    };
  }
  await execute(options, trigger(point, 'pg_sleep(3600)', condition));
  return {
    // PGlite has one connection, so nothing else reaches the database.
    untilReached: async ({ url }) => {
      const answers = () =>
        fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
          () => true,
          () => false,
        );
      await until('the stall', answers, (isAnswering) => !isAnswering, { everyMs: 20 });
    },
    lift: () => execute(options, 'drop function hold() cascade'),
  };
}

async function execute(options: DatabaseOptions, text: string): Promise<void> {
  const database = await openDatabase(options);
  await database.exec(text);
  await database.close();
}

/** Calls a service in another process like TestApp.call. Rejects if the process dies before it responds. */
export const overHttp = ({ url, key }: Service) => ({
  call: async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const reply = await fetch(`${url}/org/acme${path}`, {
      method,
      headers: {
        authorization: `Api-Key ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      headers: Object.fromEntries(reply.headers),
      body: text === '' ? '' : JSON.parse(text),
    };
  },
});
