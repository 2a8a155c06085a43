import pg from 'pg';

/** Holds the service up at one point, from connections of its own: only on PostgreSQL. */
export interface Hold {
  /** Resolves once this many statements wait at the point, or behind one that does: they are surely inside. */
  untilReached(count?: number): Promise<void>;
  /** Lets them all go on. */
  release(): Promise<void>;
  /** Resolves once no connection of the service is left: what a killed process had under way is rolled back. */
  untilGone(): Promise<void>;
  close(): Promise<void>;
}

const LOCK = 4711;

/** `point` is what a statement trigger fires before: `insert on membership`. Holds from now until released. */
export async function holdBefore(url: string, point: string): Promise<Hold> {
  const holder = await connect(url);
  await holder.query(`
    create or replace function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return null; end $$;
    create or replace trigger hold before ${point} for each statement execute function hold()`);
  await holder.query('begin');
  await holder.query('select pg_advisory_xact_lock($1)', [LOCK]);
  return holding(url, holder);
}

/** Holds whoever wants to lock this app: all steps that change its inventory. */
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
  const until = async (isMet: (n: number) => boolean, count: string, values: unknown[] = []) => {
    for (;;) {
      const { rows } = await watcher.query<{ n: number }>(count, values);
      if (isMet(rows[0]?.n ?? 0)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    untilReached: (wanted = 1) =>
      until(
        (n) => n >= wanted,
        `with recursive held (pid) as (
           select $1::integer union
           select a.pid from pg_stat_activity a join held h on h.pid = any(pg_blocking_pids(a.pid))
           where a.datname = current_database()
         ) select count(*) - 1 as n from held`,
        [pid],
      ),
    release: async () => {
      await holder.query('commit');
    },
    untilGone: () =>
      until(
        (n) => n === 0,
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and application_name <> 'hold'`,
      ),
    close: async () => {
      await holder.end();
      await watcher.end();
    },
  };
}
