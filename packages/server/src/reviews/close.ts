import { recordEvents, recordEventsFrom } from '../events/record.ts';
import { BY_THE_CLOCK } from '../identity/cause.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { campaignClosed } from './events.ts';
import * as queries from './queries/decide.ts';
import { decidedEvents } from './queries/item-events.ts';
import { createRevocations } from './revoke.ts';

export const CLOSE_JOB = 'reviews.close';

/** Items that one transaction decides. */
const CHUNK = 1000;

/** Decides the undecided items of a due cycle as its on_no_response says. The last decision completes the cycle. */
export async function closeCycle(db: Db, orgId: string, cycleId: string): Promise<void> {
  while (await transaction(db, (tx) => closeChunk(tx, orgId, cycleId)));
}

/** Returns whether undecided items are left. */
async function closeChunk(tx: Tx, orgId: string, cycleId: string): Promise<boolean> {
  const cycle = await queries.lockCycle(tx, orgId, cycleId);
  if (cycle?.status !== 'in_progress' || !cycle.is_due) return false;
  const { on_no_response: decision } = cycle.settings;
  const ids = await queries.nextUndecided(tx, orgId, cycleId, CHUNK);
  const verdict = { decision, comment: null, decidedBy: null, at: cycle.now };
  await queries.setDecision(tx, orgId, cycleId, ids, verdict);
  await queries.lockAppsOf(tx, orgId, cycleId, ids);
  const events = decision === 'keep' ? [] : await createRevocations(tx, orgId, cycle, ids, BY_THE_CLOCK);
  const completed = await queries.countDecisions(tx, orgId, cycleId, {
    kept: decision === 'keep' ? ids.length : 0,
    revoked: decision === 'revoke' ? ids.length : 0,
    at: cycle.now,
  });
  await recordEventsFrom(tx, orgId, decidedEvents(orgId, cycleId, ids, BY_THE_CLOCK));
  await recordEvents(tx, orgId, completed ? [...events, campaignClosed(cycle, BY_THE_CLOCK)] : events);
  return ids.length === CHUNK;
}
