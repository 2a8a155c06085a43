import { Kysely } from 'kysely';
import pg from 'pg';
import { StartError } from '../errors.ts';
import { ClusterDialect, withLiterals } from './cluster.ts';
import type { Database, Row } from './database.ts';
import { parseOnceClient, planEachTime } from './parse-once.ts';
import { PipelinedDialect } from './with-commit.ts';

const MINIMUM_VERSION = 180000;

/**
 * The server ends a session that waits so long for its client within a transaction, so that a process that stalls does not hold locks,
 * and with them every writer of an organization. A long statement does not count, and no transaction waits for anything else.
 */
const STALLED_MS = 60_000;

/** Longer than the jobs of every minute are apart: to open a connection costs both sides more than their statements. */
const UNUSED_MS = 90_000;

// Positions and counts fit into a double. By default pg returns them as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export async function openPostgres(
  url: string,
  poolSize: number,
  onError: (error: Error) => void,
): Promise<Database> {
  const session = {
    connectionString: url,
    idle_in_transaction_session_timeout: STALLED_MS,
    idleTimeoutMillis: UNUSED_MS,
  };
  const openPool = (options: pg.PoolConfig) => {
    const pool = new pg.Pool({ ...session, application_name: 'gatehouse', ...options });
    // The pool replaces a connection that breaks while idle, but without a listener the process would end.
    pool.on('error', onError);
    // A connection that breaks while in use fails its query, and without a listener ends the process too.
    pool.on('connect', (client) => client.on('error', onError));
    return pool;
  };
  const pool = openPool({
    max: poolSize,
    pipeline: true,
    Client: parseOnceClient(),
    onConnect: planEachTime,
  });
  // For the statements of hot paths, whose plans are kept as well.
  const planned = openPool({ max: Math.ceil(poolSize / 2) });
  const pools = [pool, planned];
  await requireServerVersion(pool);
  const engine = await engineOf(pool);
  const dialect = engine === 'citus' ? new ClusterDialect({ pool }) : new PipelinedDialect({ pool });
  const db = new Kysely<object>({ dialect });
  return {
    engine,
    db,
    exec: async (text) => {
      await pool.query(text);
    },
    prepared: async <R extends Row>(name: string, text: string, values: unknown[]) =>
      (await planned.query<R>(engine === 'citus' ? withLiterals(text, values) : { name, text, values })).rows,
    connections: () => ({
      used: sum(pools.map(({ totalCount, idleCount }) => totalCount - idleCount)),
      idle: sum(pools.map(({ idleCount }) => idleCount)),
      waiting: sum(pools.map(({ waitingCount }) => waitingCount)),
    }),
    jobs: { ...session, application_name: 'gatehouse-jobs', max: 3 },
    close: async () => {
      await db.destroy();
      await planned.end();
    },
  };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

/** Whether the server is the coordinator of a cluster on which the tables are distributed. */
async function engineOf(pool: pg.Pool): Promise<'postgres' | 'citus'> {
  const { rows: extension } = await pool.query(`select from pg_extension where extname = 'citus'`);
  if (extension.length === 0) return 'postgres';
  const { rows: distributed } = await pool.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('account') and partmethod = 'h'`,
  );
  return distributed.length === 0 ? 'postgres' : 'citus';
}

async function requireServerVersion(pool: pg.Pool) {
  const { rows } = await pool.query<{ version: number; name: string }>(
    `select current_setting('server_version_num')::int as version, current_setting('server_version') as name`,
  );
  const server = rows[0];
  if (server === undefined || server.version < MINIMUM_VERSION) {
    await pool.end();
    throw new StartError(
      `Gatehouse requires PostgreSQL 18 or newer, but this server is ${server?.name ?? 'unknown'}.`,
    );
  }
}
