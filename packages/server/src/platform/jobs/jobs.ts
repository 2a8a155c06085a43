import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Tx } from '../database/open.ts';

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

/** The job queue that all nodes share (pg-boss). A job is sent in the caller's transaction. */
export interface Jobs {
  define<Data extends object>(kind: JobKind<Data>): void;
  send<Data extends object>(tx: Tx, name: string, data: Data, options: SendOptions): Promise<void>;
  start(): Promise<void>;
  /** Waits up to 20 seconds for running jobs. */
  stop(): Promise<void>;
}

const POLL_SECONDS = 1;
const LONGEST_RUN_SECONDS = 6 * 3600;
/** After this long without a heartbeat, a job moves to another node. */
const HEARTBEAT_SECONDS = 30;

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
    await boss.work<object>(kind.name, options, async (batch) => {
      for (const job of batch as JobWithMetadata<object>[]) {
        const attempt = { number: job.retryCount + 1, last: job.retryCount >= job.retryLimit };
        try {
          await kind.work(job.data ?? {}, attempt);
        } catch (error) {
          logger.error(
            { err: error, job: kind.name, attempt: attempt.number, last: attempt.last },
            'job failed',
          );
          throw error;
        }
      }
    });
  };

  return {
    define: (kind) => {
      kinds.push(kind as unknown as JobKind<object>);
    },
    send: async (tx, name, data, { key, after }) => {
      await boss.send(name, data, {
        db: fromKysely(tx),
        singletonKey: key,
        ...(after === undefined ? {} : { startAfter: after }),
      });
    },
    start: async () => {
      await boss.start();
      for (const kind of kinds) await offer(kind);
    },
    stop: () => boss.stop({ graceful: true, timeout: 20_000 }),
  };
}
