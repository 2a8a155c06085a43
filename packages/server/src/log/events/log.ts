import type { Logger } from 'pino';
import { type Database, type Db, type OrgTx, transaction } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import type { Secrets } from '#kit/secrets/secrets.ts';
import { cursorKeyring, rotateCursorKey } from './cursor-keys.ts';
import type { EventLog } from './list.ts';
import { deleteOrigin, exchangeOrigin, insertHead, jumpHeads, readOrigin } from './queries/head.ts';
import { ensurePartitions } from './queries/retention.ts';
import { maintainLog } from './retention.ts';

/** Begins the log of a new organization. Call it in the transaction that creates the organization. */
export async function beginEventLog(tx: OrgTx, secrets: Secrets): Promise<void> {
  await ensurePartitions(tx.db);
  await insertHead(tx);
  await rotateCursorKey(tx, secrets);
}

/** Opens the log for readers. `unauthenticated` makes the error for a key that is no longer valid (D6). */
export const openEventLog = (
  database: Database,
  secrets: Secrets,
  unauthenticated: () => Error,
): EventLog => ({
  database,
  keyring: cursorKeyring(database.db, secrets),
  unauthenticated,
});

/**
 * Prepares the log before a process records its first event: creates the partitions of the coming months, and skips
 * positions if the database was restored.
 */
export async function prepareEventLog(db: Db, logger: Pick<Logger, 'warn'>): Promise<void> {
  await ensurePartitions(db);
  if (await jumpIfRestored(db)) {
    logger.warn('The database was restored or has failed over: events continue at new positions.');
  }
}

export function defineEventJobs(db: Db, jobs: Jobs): void {
  jobs.define({ name: 'events.keep-log', attempts: 5, cron: '17 3 * * *', work: () => maintainLog(db) });
}

/**
 * Skips positions after a restore that Gatehouse cannot detect, when an operator asks for it. Returns the number of
 * organizations.
 */
export const jumpAfterRestore = (db: Db): Promise<number> => transaction(db, jumpHeads);

/** Lets the log of a complete copy of a database continue on another server, without skipped positions. */
export const continueElsewhere = (db: Db): Promise<void> => deleteOrigin(db);

/**
 * Compares the cluster and timeline with those that wrote the log. If they differ, the end of the log may be lost, and
 * a lost event's position must never be reused.
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
