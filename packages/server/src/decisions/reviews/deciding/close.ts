import { type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { BY_THE_CLOCK } from '#kit/identity.ts';
import { recordEvents, recordEventsFrom } from '#log/events/record.ts';
import { campaignClosed } from '../campaigns/events.ts';
import { lockAppsOf, lockCycle, nextUndecided } from '../campaigns/queries/locks.ts';
import { createRevocations } from '../revoking/revoke.ts';
import * as queries from './queries/decide.ts';
import { decidedEvents } from './queries/item-events.ts';

export const CLOSE_JOB = 'reviews.close';

/** Items that one transaction decides. */
const CHUNK = 1000;

/** Decides the undecided items of a due cycle as its on_no_response says. The last decision completes the cycle. */
export async function closeCycle(db: OrgDb, cycleId: string): Promise<void> {
  while (await transaction(db, (tx) => closeChunk(tx, cycleId)));
}

/** Returns whether undecided items are left. */
async function closeChunk(tx: OrgTx, cycleId: string): Promise<boolean> {
  const cycle = await lockCycle(tx, cycleId);
  if (cycle?.status !== 'in_progress' || !cycle.is_due) return false;
  const { on_no_response: decision } = cycle.settings;
  const ids = await nextUndecided(tx, cycleId, CHUNK);
  const verdict = { decision, comment: null, decidedBy: null, at: cycle.now };
  await queries.setDecision(tx, cycleId, ids, verdict);
  await lockAppsOf(tx, cycleId, ids);
  const events = decision === 'keep' ? [] : await createRevocations(tx, cycle, ids, BY_THE_CLOCK, 'silence');
  const completed = await queries.countDecisions(tx, cycleId, {
    kept: decision === 'keep' ? ids.length : 0,
    revoked: decision === 'revoke' ? ids.length : 0,
    at: cycle.now,
  });
  await recordEventsFrom(tx, decidedEvents(tx.orgId, cycleId, ids, BY_THE_CLOCK));
  await recordEvents(tx, completed ? [...events, campaignClosed(cycle, BY_THE_CLOCK)] : events);
  return ids.length === CHUNK;
}
