import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { StartError } from '../errors.ts';
import type { Database, Row } from './database.ts';
import * as queries from './queries/replica.ts';
import { openReader, type Reader } from './replica-reader.ts';
import { preparing, requireSessions } from './session.ts';
import { shareRuns } from './shared-runs.ts';

/** The setting with the address. */
const SETTING = 'DATABASE_READ_URL';

/** How long a request waits for the replica before it reads the primary. */
const WAIT_MS = 100;
const POLL_MS = 2;
/** How often the replica is checked, with and without requests. */
const CHECK_MS = 1000;
/** How long a new connection or a check of the replica may take, unless a test says otherwise. */
const TIMEOUT_MS = 1000;

/** Only `usable` replicas are read. `promoted` means that the server accepts writes of its own. */
export type ReplicaState = 'unknown' | 'usable' | 'behind' | 'promoted' | 'lost';

export interface ReplicaStatus {
  state: ReplicaState;
  /** How far it is behind the primary, as of the last check that reached it. Null before the first. */
  lagBytes: number | null;
  lagSeconds: number | null;
  /** Requests that may read from it, by the side that served them. */
  reads: { replica: number; primary: number };
  /** Statements that failed on the replica and were repeated on the primary. */
  repeated: number;
}

/**
 * A streaming replica of the primary (ADR 15). A request reads from it only if it has replayed everything that had been
 * committed when the request asked, so no reader sees less there than on the primary.
 */
export interface Replica {
  /** Returns what one request reads from. It chooses its side at the first statement. */
  reader(): Reader;
  status(): ReplicaStatus;
  /** Checks the replica now and not only every second. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface ReplicaOptions {
  url: string;
  /** The number of connections that this process opens to the replica for requests. */
  poolSize?: number;
  timeoutMs?: number;
  logger: Pick<Logger, 'info' | 'warn'>;
}

type Statement = Pick<pg.QueryConfig, 'name' | 'text' | 'values'>;

const MESSAGE: Record<ReplicaState, string> = {
  unknown: 'The replica has not been checked yet.',
  usable: 'The replica is up to date. Requests read from it.',
  behind: 'The replica is behind the primary, or follows another timeline. Requests read from the primary.',
  promoted: 'The replica accepts writes of its own. Requests read from the primary.',
  lost: 'The replica does not respond. Requests read from the primary.',
};

/**
 * Opens the replica of a migrated primary. Throws StartError if the server is not a replica of the primary. A replica that
 * cannot be reached is tried again every second.
 */
export async function openReplica(
  primary: Database,
  { url, poolSize = 10, timeoutMs = TIMEOUT_MS, logger }: ReplicaOptions,
): Promise<Replica> {
  const connectionTimeoutMillis = timeoutMs;
  // A pool of its own, so that checks do not wait behind slow reads.
  const checks = openPool(url, { max: 1, query_timeout: timeoutMs, connectionTimeoutMillis });
  const openReads = () => openPool(url, { max: poolSize, connectionTimeoutMillis });
  let pool = openReads();
  const busy = new Set<pg.PoolClient>();

  const status: ReplicaStatus = {
    state: 'unknown',
    lagBytes: null,
    lagSeconds: null,
    reads: { replica: 0, primary: 0 },
    repeated: 0,
  };
  const primaryPosition = shareRuns(() => queries.readPosition(primary));
  const standbyPosition = shareRuns(() => queries.readStandbyPosition(checks));

  const enter = (state: ReplicaState, error?: unknown) => {
    if (state === status.state) return;
    status.state = state;
    logger[state === 'usable' ? 'info' : 'warn'](error === undefined ? {} : { err: error }, MESSAGE[state]);
    if (state !== 'lost') return;
    // Connections to a machine that is gone may hang for minutes. Their statements fail now and are repeated.
    const lost = pool;
    pool = openReads();
    void lost.end();
    cut();
  };
  const take = async () => {
    const client = await pool.connect();
    busy.add(client);
    let isReleased = false;
    const release = (failure?: Error) => {
      if (isReleased) return;
      isReleased = true;
      busy.delete(client);
      client.release(failure);
    };
    return { client, release };
  };
  /** Ends the statements in progress. */
  const cut = () => {
    for (const client of busy) void (client as unknown as pg.Client).end();
  };

  /** Waits until the replica has what the primary had, or for WAIT_MS. */
  const reach = async (need: queries.PrimaryPosition, found: queries.StandbyPosition) => {
    const deadline = performance.now() + WAIT_MS;
    for (let has = found; ; has = await standbyPosition()) {
      const state = compare(need, has);
      if (state !== 'behind' || performance.now() >= deadline) return { state, has };
      await sleep(POLL_MS);
    }
  };

  const check = shareRuns(async () => {
    // Without the primary, nothing can be known about the replica, and requests fail in any case.
    const need = await markedPosition(primary, primaryPosition).catch(() => undefined);
    if (need === undefined || closed) return;
    try {
      const { state, has } = await reach(need, await standbyPosition());
      status.lagBytes = Math.max(0, need.position - (has.position ?? 0));
      status.lagSeconds = status.lagBytes === 0 ? 0 : has.silence;
      // A replica that could not be reached at the start, or comes back, may be behind another pooler.
      if (state === 'usable' && status.state !== 'usable') await requireSessions(checks, pool, SETTING);
      enter(state);
    } catch (error) {
      if (!closed) enter('lost', error);
    }
  });

  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const checkRegularly = () => {
    timer = setTimeout(() => void check().finally(() => closed || checkRegularly()), CHECK_MS).unref();
  };
  const close = async () => {
    closed = true;
    clearTimeout(timer);
    cut();
    await Promise.all([pool.end(), checks.end()]);
  };

  try {
    if (await isReplicaOf(primary, checks)) await requireSessions(checks, pool, SETTING);
  } catch (error) {
    await close();
    throw error;
  }
  await check();
  checkRegularly();

  return {
    reader: () =>
      openReader(primary, {
        isUsable: () => status.state === 'usable',
        /** Whether the replica has everything that is committed now. */
        isFresh: async () => {
          let isFresh = false;
          if (status.state === 'usable') {
            try {
              const [need, has] = await Promise.all([primaryPosition(), standbyPosition()]);
              isFresh = (await reach(need, has)).state === 'usable';
            } catch {
              // The check finds out which of the two failed.
            }
            if (!isFresh) void check();
          }
          status.reads[isFresh ? 'replica' : 'primary']++;
          return isFresh;
        },
        query: async <R extends Row>(statement: Statement): Promise<R[]> => {
          const { client, release } = await take();
          let failure: Error | undefined;
          try {
            return (await client.query<R>(statement)).rows;
          } catch (error) {
            failure = error as Error;
            throw error;
          } finally {
            release(failure);
          }
        },
        begin: async () => {
          const { client, release } = await take();
          const run = (text: string) =>
            client.query(text).catch((error: Error) => {
              release(error);
              throw error;
            });
          await run('begin');
          return {
            query: async <R extends Row>(statement: Statement): Promise<R[]> =>
              (await client.query<R>(statement)).rows,
            end: async (failure) => {
              // Everything has been read: a connection that breaks now is only closed.
              if (failure === undefined) await run('rollback').catch(() => {});
              release(failure);
            },
          };
        },
        onRepeated: () => {
          status.repeated++;
          void check();
        },
      }),
    status: () => status,
    check,
    close,
  };
}

function openPool(url: string, options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'gatehouse-replica',
    keepAlive: true,
    onConnect: preparing({ default_transaction_read_only: 'on' }),
    ...options,
  });
  // Without listeners, a connection that breaks ends the process. Its statement fails and is repeated on the primary.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

function compare(need: queries.PrimaryPosition, has: queries.StandbyPosition): ReplicaState {
  if (!has.is_standby) return 'promoted';
  const isMarked = need.mark !== null && need.marked_timeline === need.timeline && has.mark === need.mark;
  return isMarked && has.position !== null && has.position >= need.position ? 'usable' : 'behind';
}

/** Returns the position of the primary after marking its timeline. */
async function markedPosition(primary: Database, read: () => Promise<queries.PrimaryPosition>) {
  const found = await read();
  if (found.timeline === found.marked_timeline) return found;
  await queries.markTimeline(primary.db, found.timeline);
  return read();
}

/** Returns whether the server is reachable. Throws StartError if it is, and is not a replica of the primary. */
async function isReplicaOf(primary: Database, checks: pg.Pool): Promise<boolean> {
  const own = await queries.identifyPrimary(primary);
  if (own.has_citus)
    throw new StartError(
      'DATABASE_READ_URL is not supported with Citus, whose nodes have positions of their own. Leave it empty.',
    );
  const other = await queries.identifyReplica(checks).catch(() => undefined);
  if (other === undefined) return false;
  if (!other.is_standby)
    throw new StartError(
      'DATABASE_READ_URL must name a streaming replica, but this server accepts writes. Name a replica, or leave it empty.',
    );
  const isSame = own.database === other.database && own.system_identifier === other.system_identifier;
  if (!isSame)
    throw new StartError(
      'DATABASE_READ_URL must name a streaming replica of the database of DATABASE_URL, but it names another database. Correct it, or leave it empty.',
    );
  return true;
}
