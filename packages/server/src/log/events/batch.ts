import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type Db, domainErrorOf, within } from '#kit/database.ts';
import { type NewEvent, recordAlone } from './record.ts';

/** Collects items that belong to no other change, such as failed sign-ins, and writes many of them together. */
export interface Batcher<T> {
  /** Returns immediately. The caller's request does not wait. */
  add(orgId: string, item: T): void;
  /** Waits until everything added so far is written. For shutdown, and for tests. */
  flush(): Promise<void>;
}

export interface BatcherOptions<T> {
  write: (orgId: string, items: T[]) => Promise<void>;
  logger: Pick<Logger, 'error'>;
  /** The pause between attempts. */
  pauseMs?: number;
}

const DELAY_MS = 10;
const LARGEST_BATCH = 1000;
/** The most waiting items of an organization, while the database is unavailable. */
const LONGEST_QUEUE = 20_000;
const ATTEMPTS = 3;
const PAUSE_MS = 500;

export function openBatcher<T>({ write, logger, pauseMs = PAUSE_MS }: BatcherOptions<T>): Batcher<T> {
  const queues = new Map<string, T[]>();
  const running = new Map<string, Promise<void>>();
  let isFlushing = false;

  const drain = async (orgId: string) => {
    if (!isFlushing) await sleep(DELAY_MS);
    for (let batch = take(orgId); batch.length > 0; batch = take(orgId)) await writeBatch(orgId, batch);
  };

  const take = (orgId: string): T[] => {
    const queue = queues.get(orgId) ?? [];
    const batch = queue.splice(0, LARGEST_BATCH);
    if (batch.length === 0) {
      queues.delete(orgId);
      running.delete(orgId);
    }
    return batch;
  };

  /** Retries as long as the database is unavailable. After other errors it gives up and logs the loss. */
  const writeBatch = async (orgId: string, batch: T[]) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write(orgId, batch);
      } catch (error) {
        const isAway = domainErrorOf(error)?.code === 'unavailable';
        if (isFlushing || (!isAway && attempt >= ATTEMPTS)) {
          return logger.error({ err: error, orgId, lost: batch.length }, 'events could not be recorded');
        }
        await sleep(pauseMs);
      }
    }
  };

  return {
    add(orgId, item) {
      const queue = queues.get(orgId) ?? [];
      if (queue.length >= LONGEST_QUEUE) {
        logger.error({ orgId }, 'the queue of events is full: an event was lost');
        return;
      }
      queue.push(item);
      queues.set(orgId, queue);
      if (!running.has(orgId)) running.set(orgId, drain(orgId));
    },
    async flush() {
      isFlushing = true;
      try {
        while (running.size > 0) await Promise.all(running.values());
      } finally {
        isFlushing = false;
      }
    },
  };
}

export type EventBatcher = Batcher<NewEvent>;

/** Records events that belong to no other change, within milliseconds, in their own transaction. */
export function openEventBatcher(db: Db, logger: Pick<Logger, 'error'>): EventBatcher {
  const batcher = openBatcher<NewEvent>({
    logger,
    write: (orgId, events) => recordAlone(within(db, orgId), events),
  });
  return {
    ...batcher,
    add: (orgId, event) => batcher.add(orgId, { ...event, occurredAt: event.occurredAt ?? new Date() }),
  };
}
