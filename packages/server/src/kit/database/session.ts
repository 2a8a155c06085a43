import type pg from 'pg';
import { StartError } from '../errors.ts';
import { isOfAnotherSession } from './sqlstate.ts';
import { statementName } from './statement-name.ts';

/**
 * PostgreSQL ends a session that waits so long for its client within a transaction, so that a process that stalls does not hold locks,
 * and with them every writer of an organization. A long statement does not count, and no transaction waits for anything else.
 */
const STALLED = '1min';

/**
 * Settings on which the statements, and the parsers of their results, rely. Roles, databases and servers can have other defaults. They
 * are set after connecting, and not as parameters of the connection, which poolers refuse or ignore.
 */
const SETTINGS: Record<string, string> = {
  // First, so that they cannot end the rest. Syncs take minutes, and statements that need a limit set one.
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  // The pool keeps connections as long as it needs them.
  idle_session_timeout: '0',
  idle_in_transaction_session_timeout: STALLED,
  client_encoding: 'UTF8',
  search_path: 'public',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  row_security: 'on',
  gin_fuzzy_search_limit: '0',
  plan_cache_mode: 'auto',
  default_table_access_method: 'heap',
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
};

/**
 * Returns the `onConnect` of a pool, which gives a session its settings. A pooler may hand over a session with the statements of its
 * former client, so these are removed.
 */
export function preparing(more: Record<string, string> = {}): (client: pg.ClientBase) => Promise<void> {
  const sets = Object.entries({ ...SETTINGS, ...more }).map(([name, value]) => `set ${name} = '${value}'`);
  const text = [...sets, 'deallocate all'].join('; ');
  return async (client) => {
    await client.query(text);
  };
}

/** Returns whether the two connections keep their settings and statements, and have a session each. */
export async function keepSessions(one: pg.ClientBase, other: pg.ClientBase): Promise<boolean> {
  const pids = new Map<pg.ClientBase, number>();
  try {
    // In this order, a pooler that lends its sessions in turns does not happen to lend each the same one again.
    for (const client of [one, other, other, one, other, one]) {
      const { pid, holds } = await lookAt(client);
      if (!holds || pid !== (pids.get(client) ?? pid)) return false;
      pids.set(client, pid);
    }
  } catch (error) {
    if (isOfAnotherSession(error)) return false;
    throw error;
  }
  return pids.get(one) !== pids.get(other);
}

const LOOK = `select pg_backend_pid() as pid,
  current_setting('idle_in_transaction_session_timeout') = '${STALLED}' as holds`;

async function lookAt(client: pg.ClientBase): Promise<{ pid: number; holds: boolean }> {
  const { rows } = await client.query<{ pid: number; holds: boolean }>({
    name: statementName(LOOK),
    text: LOOK,
  });
  return rows[0] as (typeof rows)[0];
}

/** Throws StartError if the connections of two pools do not keep sessions. `setting` has their address. */
export async function requireSessions(one: pg.Pool, other: pg.Pool, setting: string): Promise<void> {
  const first = await one.connect();
  let kept = false;
  try {
    const second = await other.connect();
    try {
      kept = await keepSessions(first, second);
    } finally {
      // A pooler may have closed the connection.
      second.release(!kept);
    }
  } finally {
    first.release(!kept);
  }
  if (kept) return;
  throw new StartError(
    `${setting} leads to a connection pooler that does not keep a session for each connection, such as PgBouncer with pool_mode = transaction or statement. Gatehouse needs the settings and prepared statements of its sessions. Set pool_mode = session for this database, or connect to PostgreSQL directly.`,
  );
}
