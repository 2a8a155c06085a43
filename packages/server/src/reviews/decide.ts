import { recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK, type Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, notFound } from '../platform/errors.ts';

import type { Decision } from './cycle.ts';
import type { LockedCycle, LockedItem } from './queries/decide.ts';
import * as queries from './queries/decide.ts';
import { revokeAccess, withdraw } from './revoke.ts';

export const CLOSE_JOB = 'reviews.close';

const CHUNK = 1000;
const ONE_HOUR = 3600 * 1000;

export interface DecisionRequest {
  items: string[];
  decision: Decision;
  comment: string | null;
}

export const isAdministrator = ({ role }: Pick<Principal, 'role'>) => role === 'owner' || role === 'admin';

/**
 * Decides all of these items, or none. 404 for an item that is not in the cycle, 403 for one that is not theirs to
 * decide, 409 for one whose decision cannot be changed any more. Saying the same again changes nothing.
 */
export async function decide(
  db: Db,
  principal: Principal,
  cycleId: string,
  { items: itemIds, decision, comment }: DecisionRequest,
  cause: Cause,
): Promise<void> {
  const { orgId, userId } = principal;
  await transaction(db, async (tx) => {
    const cycle = await queries.lockCycle(tx, orgId, cycleId);
    if (cycle === undefined || cycle.status === 'scheduled') throw conflict('The cycle is not open yet.');
    const items = await queries.lockItems(tx, orgId, cycleId, itemIds);
    if (items.length < new Set(itemIds.map((id) => id.toLowerCase())).size) throw notFound('Item');
    for (const item of items) requireMine(principal, item);
    const changed = items.filter((item) => item.decision !== decision || item.comment !== comment);
    for (const item of changed) requireChangeable(cycle, item);
    if (changed.length === 0) return;

    const ids = changed.map(({ id }) => id);
    await queries.holdAppsOf(tx, orgId, cycleId, ids);
    const { others, events } = await withdraw(tx, orgId, cycle, changed, cause);
    await queries.setDecision(tx, orgId, cycleId, ids, {
      decision,
      comment,
      decidedBy: userId,
      at: cycle.now,
    });
    const made = await revokeAccess(tx, orgId, cycle, [...others, ...ids], cause);
    await queries.countDecisions(tx, orgId, cycleId, differenceOf(changed, decision));
    await recordEvents(tx, orgId, [...events, ...made]);
  });
}

function requireMine(principal: Principal, { user_id, reviewers }: LockedItem) {
  if (user_id === principal.userId) throw forbidden('Nobody reviews their own access.');
  if (!isAdministrator(principal) && !reviewers.includes(principal.userId))
    throw forbidden('This item is not yours to decide.');
}

/** A keep has done nothing: it stays open with its cycle. A revocation is on its way once its cooling-off is over. */
function requireChangeable({ status, settings, now }: LockedCycle, { decision, decided_at }: LockedItem) {
  if (decided_at === null || (decision === 'keep' && status === 'in_progress')) return;
  if (decided_at.getTime() + settings.cooling_off_hours * ONE_HOUR <= now.getTime())
    throw conflict('The cooling-off of this decision is over: it cannot be changed any more.');
}

function differenceOf(changed: LockedItem[], decision: Decision) {
  const before = (which: Decision) => changed.filter((item) => item.decision === which).length;
  const after = (which: Decision) => (which === decision ? changed.length : 0);
  return { kept: after('keep') - before('keep'), revoked: after('revoke') - before('revoke') };
}

/** What nobody answered by the due date is decided as the campaign says; then the cycle is completed. */
export async function closeCycle(db: Db, orgId: string, cycleId: string): Promise<void> {
  while (await transaction(db, (tx) => closeChunk(tx, orgId, cycleId)));
}

async function closeChunk(tx: Tx, orgId: string, cycleId: string): Promise<boolean> {
  const cycle = await queries.lockCycle(tx, orgId, cycleId);
  if (cycle?.status !== 'in_progress' || !cycle.is_due) return false;
  const { on_no_response: decision } = cycle.settings;
  const ids = await queries.nextUndecided(tx, orgId, cycleId, CHUNK);
  const verdict = { decision, comment: null, decidedBy: null, at: cycle.now };
  await queries.setDecision(tx, orgId, cycleId, ids, verdict);
  await queries.holdAppsOf(tx, orgId, cycleId, ids);
  const events = decision === 'keep' ? [] : await revokeAccess(tx, orgId, cycle, ids, BY_THE_CLOCK);
  await queries.countDecisions(tx, orgId, cycleId, {
    kept: decision === 'keep' ? ids.length : 0,
    revoked: decision === 'revoke' ? ids.length : 0,
  });
  await recordEvents(tx, orgId, events);
  return ids.length === CHUNK;
}
