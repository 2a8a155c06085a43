import { fromKysely, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Tx } from '../database/open.ts';

/** One run of a job. */
export interface Attempt {
  /** 1 for the first. */
  number: number;
  /** Whether a failure of this run is final. */
  last: boolean;
}

/** A kind of background work. `work` must be safe to run twice: a process can die after its effect. */
export interface JobKind<Data extends object> {
  name: string;
  /** Runs in all, with exponential backoff between them. */
  attempts: number;
  /** Five fields; the job is then sent by itself, once in the whole deployment. */
  cron?: string;
  work(data: Data, attempt: Attempt): Promise<void>;
}

export interface SendOptions {
  /** At most one waiting job of the kind has this key: a second one is not sent. */
  key: string;
  after?: Date;
}

/** The queue that all nodes share (pg-boss). Sending is part of the caller's transaction. */
export interface Jobs {
  define<Data extends object>(kind: JobKind<Data>): void;
  send<Data extends object>(tx: Tx, name: string, data: Data, options: SendOptions): Promise<void>;
  start(): Promise<void>;
  /** Waits for running jobs, 20 seconds at most. */
  stop(): Promise<void>;
}

const POLL_SECONDS = 1;
const LONGEST_RUN_SECONDS = 6 * 3600;
/** A node that stops answering for this long loses its job to another. */
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
  boss.on('error', (error) => logger.error({ err: error }, 'job queue'));
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
