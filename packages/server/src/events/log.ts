import type { Logger } from 'pino';
import type { Database, Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { cursorKeyring } from './cursor-keys.ts';
import type { EventLog } from './list.ts';
import { exchangeOrigin, jumpHeads, readOrigin } from './queries/head.ts';
import { ensurePartitions } from './queries/retention.ts';
import { keepLog } from './retention.ts';

/** The log for its readers. `unauthenticated` is the error for a key that has died (D6). */
export const openEventLog = (database: Database, unauthenticated: () => Error): EventLog => ({
  database,
  keyring: cursorKeyring(database.db),
  unauthenticated,
});

/**
 * Before the first event of a process: partitions for the coming months, and a jump where this database turns out
 * to be a restored one.
 */
export async function prepareEventLog(db: Db, logger: Pick<Logger, 'warn'>): Promise<void> {
  await ensurePartitions(db);
  if (await jumpIfRestored(db)) {
    logger.warn('The database was restored or has failed over: events continue at new positions.');
  }
}

export function defineEventJobs(db: Db, jobs: Jobs): void {
  jobs.define({ name: 'events.keep-log', attempts: 5, cron: '17 3 * * *', work: () => keepLog(db) });
}

/** For an operator who has restored a database that does not tell it by itself. Answers how many organizations. */
export const jumpAfterRestore = (db: Db): Promise<number> => jumpHeads(db);

/**
 * Compares the cluster and its timeline with those that wrote the log. Other ones mean that the end of the log may
 * be lost, and a lost event's position must never be another's.
 */
function jumpIfRestored(db: Db): Promise<boolean> {
  return transaction(db, async (tx) => {
    const origin = await readOrigin(tx);
    if (origin === undefined) return false;
    const before = await exchangeOrigin(tx, origin);
    const isSame =
      before?.system_identifier === origin.system_identifier && before.timeline === origin.timeline;
    if (before === undefined || isSame) return false;
    await jumpHeads(tx);
    return true;
  });
}
