import type { Logger } from 'pino';
import { type Db, type OrgDb, type OrgTx, transaction, within } from '#kit/database.ts';
import { logFailure } from '#kit/jobs/log-failure.ts';
import { recordEvents } from '#log/events/record.ts';
import { itemEscalated } from '../campaigns/events.ts';
import { lockCycle } from '../campaigns/queries/locks.ts';
import * as queries from './queries/escalate.ts';

/** Items that one transaction escalates. */
const CHUNK = 1000;

/** Escalates the items that have waited too long. Any number of nodes may do this: the cycle's lock lets one at a time. */
export async function escalateItems(db: Db, logger: Pick<Logger, 'error'>): Promise<void> {
  for (const { org_id: orgId, id } of await queries.cyclesThatEscalate(db))
    await logFailure(logger, { orgId, cycle: id }, () => escalateCycle(within(db, orgId), id));
}

async function escalateCycle(db: OrgDb, cycleId: string): Promise<void> {
  for (const level of [1, 2] as const)
    for (let after: string | null = null; ; ) {
      const ids: string[] = await transaction(db, (tx) => escalateChunk(tx, cycleId, level, after));
      if (ids.length < CHUNK) break;
      after = ids.at(-1) ?? null;
    }
}

/** Returns the items that it looked at. */
async function escalateChunk(
  tx: OrgTx,
  cycleId: string,
  level: 1 | 2,
  after: string | null,
): Promise<string[]> {
  const cycle = await lockCycle(tx, cycleId);
  if (cycle?.status !== 'in_progress') return [];
  const ids = await queries.overdueItems(tx, cycleId, { level, after, limit: CHUNK });
  if (ids.length === 0) return [];
  const escalated = await queries.escalate(tx, cycleId, ids, level);
  await recordEvents(tx, escalated.map(itemEscalated));
  return ids;
}
