import pg from 'pg';

/** Holds the service's statements at one point, from a connection of its own: only on PostgreSQL. */
export interface Hold {
  /** Resolves once a statement of the service waits at the point: from here on it is surely inside. */
  untilReached(): Promise<void>;
  /** Lets them all go on. */
  release(): Promise<void>;
  /** Resolves once no connection of the service is left: what a killed process had under way is rolled back. */
  untilGone(): Promise<void>;
  close(): Promise<void>;
}

const LOCK = 4711;

/** `point` is what a statement trigger fires before: `insert on membership`. Holds from now until released. */
export async function holdBefore(url: string, point: string): Promise<Hold> {
  const client = new pg.Client({ connectionString: url, application_name: 'hold' });
  await client.connect();
  await client.query(`
    create or replace function hold() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock(${LOCK}); return null; end $$;
    create or replace trigger hold before ${point} for each statement execute function hold()`);
  await client.query('select pg_advisory_lock($1)', [LOCK]);
  const until = async (condition: string) => {
    for (;;) {
      const { rows } = await client.query<{ met: boolean }>(`select ${condition} as met`);
      if (rows[0]?.met) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return {
    untilReached: () =>
      until(`exists (select from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
        and database = (select oid from pg_database where datname = current_database()))`),
    release: async () => {
      await client.query('select pg_advisory_unlock($1)', [LOCK]);
    },
    untilGone: () =>
      until(`not exists (select from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and application_name <> 'hold')`),
    close: () => client.end(),
  };
}
