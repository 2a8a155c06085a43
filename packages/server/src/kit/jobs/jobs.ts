import { setTimeout as sleep } from 'node:timers/promises';
import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import { isCluster } from '../database/cluster.ts';
import type { Database, Tx } from '../database/open.ts';
import { domainErrorOf } from '../database/sqlstate.ts';
import { createLoop, type Loop } from '../loops/loop.ts';
import * as queries from './queries/jobs.ts';

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
  /** Returns the jobs that have not finished, by kind. */
  backlog(): Promise<Backlog[]>;
  start(): Promise<void>;
  /** Waits up to 20 seconds for running jobs. */
  stop(): Promise<void>;
}

/**
 * How often the queue looks for jobs of each kind by itself. A worker looks again after each job, and `wakingLoop` looks for jobs
 * of all kinds together.
 */
const POLL_SECONDS = 600;
/** The kind of the queue's own jobs, each of which sends the job of a schedule. Its poll is as rare as the queue permits. */
const SCHEDULED = '__pgboss__send-it';
const SCHEDULED_POLL_SECONDS = 45;
/** How often the queue checks the heartbeats of running jobs. */
const SUPERVISE_SECONDS = 10;
/** How often it deletes old jobs and reads the settings of its queues, which change with a release only. */
const UPKEEP_SECONDS = 3600;
const LONGEST_RUN_SECONDS = 6 * 3600;
/** After this long without a heartbeat, a job moves to another node. */
const HEARTBEAT_SECONDS = 30;
const OUTAGE_PAUSE_MS = 2000;
const SENDER_PAUSE_MS = 10;

export function openJobs(database: Database, logger: Logger): Jobs {
  const boss = new PgBoss({
    ...database.jobs,
    schema: 'pgboss',
    useListenNotify: true,
    // `upkeepLoop` does it while jobs run.
    supervise: false,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    cronWorkerIntervalSeconds: SCHEDULED_POLL_SECONDS,
    queueCacheIntervalSeconds: UPKEEP_SECONDS,
    bamIntervalSeconds: UPKEEP_SECONDS,
  });
  boss.on('error', (error) => logger.error({ err: error }, 'job queue error'));
  const kinds: JobKind<object>[] = [];
  /** The queue's worker of each kind. */
  const workers = new Map<string, string>();
  let working = false;
  let loops: Loop[] = [];
  let note: (run: JobRun) => void = () => {};

  const wake = (name: string) => boss.notifyWorker(workers.get(name) ?? '');

  /** Creates the queues and schedules that are missing. An existing queue would not change. */
  const prepareQueues = async () => {
    const existing = new Set((await boss.getQueues(kinds.map(({ name }) => name))).map(({ name }) => name));
    const schedules = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]));
    for (const { name, attempts, cron } of kinds) {
      if (!existing.has(name))
        await boss.createQueue(name, {
          policy: 'short',
          notify: true,
          retryLimit: attempts - 1,
          retryDelay: 1,
          retryBackoff: true,
          retryDelayMax: 60,
          expireInSeconds: LONGEST_RUN_SECONDS,
          heartbeatSeconds: HEARTBEAT_SECONDS,
          deleteAfterSeconds: 24 * 3600,
        });
      if (cron !== undefined && schedules.get(name) !== cron) await boss.schedule(name, cron);
    }
  };

  const offer = async (kind: JobKind<object>) => {
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
        } finally {
          wake(kind.name);
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
      find: () => queries.kindsWithDueJobs(database.db, [...workers.keys()]),
      nextDue: () => queries.untilDueJob(database.db, [...workers.keys()]),
      work: async ({ id }) => {
        wake(id);
        return false;
      },
    });

  /** Ends the runs of dead nodes while there are running jobs, and deletes old jobs now and then. */
  const upkeepLoop = () => {
    let doneAt = Number.NEGATIVE_INFINITY;
    const secondsUntilNext = async () => {
      const seconds = (await queries.hasActiveJobs(database.db)) ? SUPERVISE_SECONDS : UPKEEP_SECONDS;
      return seconds - (performance.now() - doneAt) / 1000;
    };
    return createLoop<{ id: string }>({
      name: 'upkeep of jobs',
      db: database.db,
      logger,
      wokenBy: [],
      everyMs: SUPERVISE_SECONDS * 1000,
      find: async () => ((await secondsUntilNext()) <= 0 ? [{ id: 'upkeep' }] : []),
      nextDue: secondsUntilNext,
      work: async () => {
        await boss.supervise();
        doneAt = performance.now();
        return false;
      },
    });
  };

  /**
   * The queue of a cluster is on the coordinator, where a transaction commits before its changes are visible on the workers. Its
   * locks end after that. A job therefore waits for the lock that the transaction which sent it holds: otherwise it could
   * look too early and find nothing to do. It does not queue for the lock, so that it never delays another sender.
   */
  const senderToFinish = async (name: string, key: string | null) => {
    if (key === null || !isCluster(database.db)) return;
    while (!(await queries.hasSenderFinished(database.db, name, key))) await sleep(SENDER_PAUSE_MS);
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
      if (isCluster(tx)) await queries.lockAsSender(tx, name, key);
      await boss.send(name, data, {
        db: fromKysely(tx),
        singletonKey: key,
        priority: -(await queries.countWaiting(tx, name, data)),
        ...(after === undefined ? {} : { startAfter: after }),
      });
    },
    onRun: (listener) => {
      note = listener;
    },
    backlog: async () => {
      if (!working) return [];
      return queries.countUnfinished(
        database.db,
        kinds.map(({ name }) => name),
      );
    },
    start: async () => {
      await boss.start();
      working = true;
      await prepareQueues();
      for (const kind of kinds) await offer(kind);
      for (const { id, name } of boss.getWipData({ includeInternal: true }))
        if (name === SCHEDULED) workers.set(name, id);
      loops = [wakingLoop(), upkeepLoop()];
      for (const loop of loops) loop.start();
    },
    stop: async () => {
      working = false;
      await Promise.all(loops.map((loop) => loop.stop()));
      await boss.stop({ graceful: true, timeout: 20_000 });
    },
  };
}
