import { Kysely } from 'kysely';
import pg from 'pg';
import { ClusterDialect, withLiterals } from './cluster.ts';
import type { Database, Row } from './database.ts';
import { onFirstConnection } from './first-connection.ts';
import { KEEP_PLANS, PLAN_EACH_TIME, parseOnceClient } from './parse-once.ts';
import { type Found, requireUsable, settingOf } from './requirements.ts';
import { preparing, requireSessions } from './session.ts';
import { statementName } from './statement-name.ts';
import { PipelinedDialect } from './with-commit.ts';

/** The setting with the address. */
const SETTING = 'DATABASE_URL';

/** Longer than the jobs of every minute are apart: to open a connection costs both sides more than their statements. */
const UNUSED_MS = 90_000;

/** Options of DatabaseOptions that are about a server. */
interface PostgresOptions {
  poolSize?: number | undefined;
  keepPlans?: boolean | undefined;
  onError?: (error: Error) => void;
}

// Positions and counts fit into a double. By default pg returns them as strings.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export async function openPostgres(
  url: string,
  { poolSize = 10, keepPlans = false, onError = () => {} }: PostgresOptions,
): Promise<Database> {
  const found = await onFirstConnection(SETTING, url, requireUsable);
  const openPool = (options: pg.PoolConfig) => {
    const pool = new pg.Pool({
      connectionString: url,
      application_name: 'gatehouse',
      idleTimeoutMillis: UNUSED_MS,
      ...options,
    });
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
    onConnect: preparing(keepPlans ? KEEP_PLANS : PLAN_EACH_TIME),
  });
  // For the statements of hot paths, whose plans are kept as well.
  const planned = openPool({ max: Math.ceil(poolSize / 2), onConnect: preparing() });
  const pools = [pool, planned];
  const checkSessions = () => requireSessions(pool, planned, SETTING);
  const engine = await checkSessions()
    .then(() => engineOf(pool))
    .catch(async (error: unknown) => {
      await Promise.all(pools.map((one) => one.end()));
      throw error;
    });
  const dialect = engine === 'citus' ? new ClusterDialect({ pool }) : new PipelinedDialect({ pool });
  const db = new Kysely<object>({ dialect });
  return {
    engine,
    db,
    exec: async (text) => {
      await pool.query(text);
    },
    prepared: async <R extends Row>(text: string, values: unknown[]) => {
      const named = { name: statementName(text), text, values };
      return (await planned.query<R>(engine === 'citus' ? withLiterals(text, values) : named)).rows;
    },
    checkSessions,
    connections: () => ({
      used: sum(pools.map(({ totalCount, idleCount }) => totalCount - idleCount)),
      idle: sum(pools.map(({ idleCount }) => idleCount)),
      waiting: sum(pools.map(({ waitingCount }) => waitingCount)),
    }),
    jobs: jobConnections(url, found),
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

/** How often pg-boss asks the connection on which it listens for a sign of life, in milliseconds, unless it would time out sooner. */
const HEARTBEAT_MS = 10_000;

/** The connections of pg-boss. The one on which it listens has no `onConnect`, and must not be idle for too long. */
function jobConnections(url: string, found: Found): Database['jobs'] {
  const idleTimeout = Number(settingOf(found, 'idle_session_timeout')?.value ?? 0);
  const pool: pg.PoolConfig = {
    connectionString: url,
    application_name: 'gatehouse-jobs',
    idleTimeoutMillis: UNUSED_MS,
    max: 3,
    onConnect: preparing(),
  };
  return {
    ...(pool as Database['jobs']),
    notifyHeartbeatIntervalMs: idleTimeout === 0 ? HEARTBEAT_MS : Math.min(HEARTBEAT_MS, idleTimeout / 2),
  };
}
