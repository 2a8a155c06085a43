import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import {
  deleteForgotten,
  dropPartition,
  ensurePartitions,
  isKept,
  raiseRetention,
  selectPastPartitions,
  selectRetainingOrganizations,
} from './queries/retention.ts';

const BATCH = 5000;

/**
 * The log's daily work: the coming months get their partitions; what retention (organization.event_retention_days)
 * has given up is hidden, then dropped by the month where no organization needs the month, else deleted. Each step
 * may be repeated.
 */
export async function keepLog(db: Db): Promise<void> {
  await ensurePartitions(db);
  await raiseRetention(db);
  for (const name of await selectPastPartitions(db)) {
    if (!(await isKept(db, name))) await transaction(db, (tx) => dropPartition(tx, name));
  }
  for (const orgId of await selectRetainingOrganizations(db)) {
    let deleted: number;
    do {
      deleted = await transaction(db, (tx) => deleteForgotten(tx, orgId, BATCH));
    } while (deleted === BATCH);
  }
}
