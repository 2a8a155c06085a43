import { type Db, type OrgDb, transaction, within } from '#kit/database.ts';
import {
  deleteHidden,
  dropPartition,
  ensurePartitions,
  hideAll,
  isKept,
  pastPartitions,
  raiseRetention,
  selectRetentions,
  updateRetention,
} from './queries/retention.ts';

const BATCH = 5000;

/** Sets how many days an organization's events are kept. Null keeps them forever. The daily job applies it. */
export const setRetention = (db: OrgDb, days: number | null): Promise<void> => updateRetention(db, days);

/**
 * The daily maintenance of the log. Creates the partitions of the coming months, hides the events that are older than
 * their organization's retention, drops the months that no organization keeps, and deletes the other hidden events.
 * Each step is safe to repeat.
 */
export async function maintainLog(db: Db): Promise<void> {
  await ensurePartitions(db);
  const retentions = await selectRetentions(db);
  for (const { orgId, days } of retentions)
    await transaction(within(db, orgId), (tx) => raiseRetention(tx, days));
  for (const name of await pastPartitions(db)) {
    if (!(await isKept(db, name))) await transaction(db, (tx) => dropPartition(tx, name));
  }
  for (const { orgId } of retentions) await deleteAllHidden(within(db, orgId));
}

/** Deletes all events of an organization that is being deleted, in batches. Safe to repeat. */
export async function deleteLog(db: OrgDb): Promise<void> {
  await hideAll(db);
  await deleteAllHidden(db);
}

async function deleteAllHidden(db: OrgDb): Promise<void> {
  let deleted: number;
  do {
    deleted = await transaction(db, (tx) => deleteHidden(tx, BATCH));
  } while (deleted === BATCH);
}
