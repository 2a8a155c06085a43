import { requireNominees } from '#directory/deciders/hand-over.ts';
import { transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call, CallTx } from '#kit/identity.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { isAdministrator } from '../campaigns/cycle.ts';
import { itemReassigned } from '../campaigns/events.ts';
import { lockCycle, lockItems } from '../campaigns/queries/locks.ts';
import { reviewingPerson } from '../cycles/cycles.ts';
import { handOver, onlyReviewer, undecidedOf } from '../reviewers/queries/reassign.ts';
import { replacedBy } from '../reviewers/queries/reviewing.ts';
import { reviewRefusals } from '../sentences.ts';
import { requireReviewer } from './decide.ts';

export interface HandOver {
  items: string[];
  to: string[];
  reason: string;
}

/**
 * Hands undecided items to other reviewers, all or none. An administrator replaces all reviewers of an item; a reviewer
 * replaces themselves and the absent reviewers whom they represent.
 */
export async function handOverItems(
  call: Call,
  cycleId: string,
  { items: itemIds, to, reason }: HandOver,
): Promise<void> {
  const wanted = [...new Set(to.map((id) => id.toLowerCase()))];
  await transaction(call, async (tx) => {
    const cycle = await lockCycle(tx, cycleId);
    if (cycle?.status !== 'in_progress') throw reviewRefusals.cycle_not_open();
    const items = await lockItems(tx, cycleId, itemIds);
    if (items.length < new Set(itemIds.map((id) => id.toLowerCase())).size) throw notFound('Item');
    const reviewer = await reviewingPerson(tx);
    await requireReviewer(tx, cycleId, reviewer, items);
    if (items.some(({ decision }) => decision !== null)) throw reviewRefusals.items_decided_already();
    await requireNominees(tx, wanted, { concerned: items.map(({ user_id }) => user_id) });
    const replaced = isAdministrator(call.principal) ? 'all' : replacedBy(reviewer);
    const ids = items.map(({ id }) => id);
    const handedOver = await handOver(tx, cycleId, ids, { to: wanted, replaced });
    await recordEvents(
      tx,
      handedOver.map((item) => itemReassigned(item, call.cause, reason)),
    );
  });
}

/**
 * Hands the undecided items of a reviewer who leaves to another person, without those that concern this person or the caller: their fallback
 * decides. The caller records the events. Null: only counts the items.
 */
export async function handOverAllItems(
  tx: CallTx,
  fromId: string,
  toId: string | null,
  reason: string,
): Promise<{ found: number; moved: number; events: NewEvent[] }> {
  const found = await undecidedOf(tx, fromId);
  const events: NewEvent[] = [];
  const spared = [toId, tx.principal.userId];
  for (const [cycleId, all] of toId === null ? [] : Map.groupBy(found, ({ cycle_id }) => cycle_id)) {
    if ((await lockCycle(tx, cycleId))?.status !== 'in_progress') continue;
    const ids = all.map(({ id }) => id);
    const open = (await lockItems(tx, cycleId, ids)).filter(
      ({ decision, reviewers, user_id, holder_id }) =>
        decision === null &&
        reviewers.includes(fromId) &&
        !spared.includes(user_id) &&
        !spared.includes(holder_id),
    );
    const openIds = open.map(({ id }) => id);
    const to = { to: [toId as string], replaced: onlyReviewer(fromId) };
    const handedOver = await handOver(tx, cycleId, openIds, to);
    events.push(...handedOver.map((item) => itemReassigned(item, tx.cause, reason)));
  }
  return { found: found.length, moved: events.length, events };
}
