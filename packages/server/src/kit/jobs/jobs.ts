import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { isCluster } from '../database/cluster.ts';
import type { Database, Tx } from '../database/open.ts';
import { domainErrorOf } from '../database/sqlstate.ts';
import { createLoop, type Loop } from '../loops/loop.ts';

/** A run of a job. */
export interface Attempt {
  /** Counts from 1. */
  number: number;
  /** Whether no further attempt follows a failure. */
  last: boolean;
}

/** A kind of background work. `work` must be safe to repeat: a process can die after its effect. */
export interface JobKind<Data extends object> {
  name: string;
  /** The most attempts, with exponential backoff between them. */
  attempts: number;
  /** A schedule of five fields. The job then runs on schedule, once per deployment. */
  cron?: string;
  work(data: Data, attempt: Attempt): Promise<void>;
}

export interface SendOptions {
  /** While a job of the same kind and key waits, another one is not sent. */
  key: string;
  after?: Date;
}

/** A run that has ended. */
export interface JobRun {
  job: string;
  seconds: number;
  failed: boolean;
}

/** The jobs of one kind that wait for a node, wait for their time, and run. */
export interface Backlog {
  job: string;
  waiting: number;
  deferred: number;
  active: number;
}

/** The job queue that all nodes share (pg-boss). A job is sent in the caller's transaction. */
export interface Jobs {
  define<Data extends object>(kind: JobKind<Data>): void;
  send<Data extends object>(tx: Tx, name: string, data: Data, options: SendOptions): Promise<void>;
  /** Calls `note` after each run of a job on this node. */
  onRun(note: (run: JobRun) => void): void;
  /** Returns the jobs that have not finished, by kind. The job queue counts them every 10 seconds. */
  backlog(): Promise<Backlog[]>;
  start(): Promise<void>;
  /** Waits up to 20 seconds for running jobs. */
  stop(): Promise<void>;
}

/** How often the queue looks for jobs of each kind by itself. `wakingLoop` looks for those of all kinds together. */
const POLL_SECONDS = 60;
const LONGEST_RUN_SECONDS = 6 * 3600;
/** After this long without a heartbeat, a job moves to another node. */
const HEARTBEAT_SECONDS = 30;
const OUTAGE_PAUSE_MS = 2000;
const SENDER_PAUSE_MS = 10;

/** An organization with more waiting jobs than this has no better chances with fewer. */
const MOST_COUNTED = 1000;

const senderLock = (name: string, key: string) => sql`hashtextextended(${`${name} ${key}`}, 0)`;

/** Counts the jobs of this kind that wait already for the organization of `data`. The second one waits for the first ones of others. */
async function waitingOf(tx: Tx, name: string, data: object): Promise<number> {
  const { orgId } = data as { orgId?: string };
  if (orgId === undefined) return 0;
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select from pgboss.job
      where name = ${name} and state < 'active' and start_after <= now() and data ->> 'orgId' = ${orgId}
      limit ${MOST_COUNTED}) waiting`.execute(tx);
  return rows[0]?.n ?? 0;
}

export function openJobs(database: Database, logger: Logger): Jobs {
  const boss = new PgBoss({
    ...database.jobs,
    schema: 'pgboss',
    useListenNotify: true,
    monitorIntervalSeconds: 10,
    superviseIntervalSeconds: 10,
    bamIntervalSeconds: 60,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'job queue error'));
  const kinds: JobKind<object>[] = [];
  /** The queue's worker of each kind. */
  const workers = new Map<string, string>();
  let working = false;
  let waking: Loop | undefined;
  let note: (run: JobRun) => void = () => {};

  const offer = async (kind: JobKind<object>) => {
    await boss.createQueue(kind.name, {
      policy: 'short',
      notify: true,
      retryLimit: kind.attempts - 1,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds: LONGEST_RUN_SECONDS,
      heartbeatSeconds: HEARTBEAT_SECONDS,
      deleteAfterSeconds: 24 * 3600,
    });
    if (kind.cron !== undefined) await boss.schedule(kind.name, kind.cron);
    const options = {
      includeMetadata: true,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
    } as const;
    const worker = await boss.work<object>(kind.name, options, async (batch) => {
      for (const job of batch as JobWithMetadata<object>[]) {
        const attempt = { number: job.retryCount + 1, last: job.retryCount >= job.retryLimit };
        const started = performance.now();
        const ended = (failed: boolean) =>
          note({ job: kind.name, seconds: (performance.now() - started) / 1000, failed });
        try {
          await throughOutages(async () => {
            await senderToFinish(kind.name, job.singletonKey);
            await kind.work(job.data ?? {}, attempt);
          });
          ended(false);
        } catch (error) {
          ended(true);
          logger.error(
            { err: error, job: kind.name, attempt: attempt.number, last: attempt.last },
            'job failed',
          );
          throw error;
        }
      }
    });
    workers.set(kind.name, worker);
  };

  /** A notification wakes the worker of a new job. This wakes those of jobs whose time has come, and of lost notifications. */
  const wakingLoop = () =>
    createLoop<{ id: string }>({
      name: 'jobs',
      db: database.db,
      logger,
      wokenBy: [],
      find: async () => {
        const { rows } = await sql<{ id: string }>`
          select kind as id from unnest(${[...workers.keys()]}::text[]) kind
          where exists (select from pgboss.job j
            where j.name = kind and j.state < 'active' and not j.blocked and j.start_after <= now())`.execute(
          database.db,
        );
        return rows;
      },
      work: async ({ id }) => {
        boss.notifyWorker(workers.get(id) ?? '');
        return false;
      },
    });

  /**
   * The queue of a cluster is on the coordinator, where a transaction commits before its changes are visible on the workers. Its
   * locks end after that. A job therefore waits for the lock that the transaction which sent it holds: otherwise it could
   * look too early and find nothing to do. It does not queue for the lock, so that it never delays another sender.
   */
  const senderToFinish = async (name: string, key: string | null) => {
    if (key === null || !isCluster(database.db)) return;
    for (;;) {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${senderLock(name, key)}) as free`.execute(database.db);
      if (rows[0]?.free) return;
      await sleep(SENDER_PAUSE_MS);
    }
  };

  /**
   * Repeats work while the database is unavailable: an outage uses up no attempts. It matters on a cluster, where a worker can
   * be gone while the queue, on the coordinator, goes on.
   */
  const throughOutages = async (work: () => Promise<void>) => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!working || domainErrorOf(error)?.code !== 'unavailable') throw error;
        await sleep(OUTAGE_PAUSE_MS);
      }
    }
  };

  return {
    define: (kind) => {
      kinds.push(kind as unknown as JobKind<object>);
    },
    send: async (tx, name, data, { key, after }) => {
      if (isCluster(tx)) await sql`select pg_advisory_xact_lock_shared(${senderLock(name, key)})`.execute(tx);
      await boss.send(name, data, {
        db: fromKysely(tx),
        singletonKey: key,
        priority: -(await waitingOf(tx, name, data)),
        ...(after === undefined ? {} : { startAfter: after }),
      });
    },
    onRun: (listener) => {
      note = listener;
    },
    backlog: async () => {
      if (!working) return [];
      const queues = await boss.getQueues(kinds.map(({ name }) => name));
      return queues.map(({ name, queuedCount, deferredCount, activeCount }) => ({
        job: name,
        waiting: Math.max(0, queuedCount - deferredCount),
        deferred: deferredCount,
        active: activeCount,
      }));
    },
    start: async () => {
      await boss.start();
      working = true;
      for (const kind of kinds) await offer(kind);
      waking = wakingLoop();
      waking.start();
    },
    stop: async () => {
      working = false;
      await waking?.stop();
      await boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}
