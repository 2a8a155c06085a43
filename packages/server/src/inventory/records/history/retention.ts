import { type Db, isLockTimeout, transaction } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import {
  deleteExpired,
  dropPartition,
  ensurePartitions,
  isEmpty,
  lockPartition,
  moveStart,
  PERIOD_TABLES,
  type PeriodTable,
  pastPartitions,
  selectRetentions,
} from './queries/retention.ts';

const BATCH = 5000;

export function defineHistoryJobs(db: Db, jobs: Jobs): void {
  jobs.define({
    name: 'inventory.keep-history',
    attempts: 5,
    cron: '27 3 * * *',
    work: () => maintainHistory(db),
  });
}

/** Creates the partitions of the coming months before a process changes the inventory. */
export async function prepareHistory(db: Db): Promise<void> {
  for (const table of PERIOD_TABLES) await ensurePartitions(db, table);
}

/**
 * The daily maintenance of the history. Creates the partitions of the coming months, deletes the periods whose end was
 * recorded before their organization's retention, and drops past months that are empty. Open periods are kept. A report
 * that is running reads on undisturbed: its month is dropped on a later day. Each step is safe to repeat.
 */
export async function maintainHistory(db: Db): Promise<void> {
  await prepareHistory(db);
  for (const retention of await selectRetentions(db)) {
    for (const table of PERIOD_TABLES) {
      let deleted: number;
      do {
        deleted = await transaction(db, async (tx) => {
          await moveStart(tx, retention);
          return deleteExpired(tx, table, retention, BATCH);
        });
      } while (deleted >= BATCH);
    }
  }
  for (const table of PERIOD_TABLES) {
    for (const name of await pastPartitions(db, table)) await dropIfEmpty(db, table, name);
  }
}

async function dropIfEmpty(db: Db, table: PeriodTable, partition: string): Promise<void> {
  if (!(await isEmpty(db, partition))) return;
  await transaction(db, async (tx) => {
    await lockPartition(tx, table, partition);
    if (await isEmpty(tx, partition)) await dropPartition(tx, partition);
  }).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
  });
}
