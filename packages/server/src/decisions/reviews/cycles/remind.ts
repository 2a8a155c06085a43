import { nomineeOf } from '#directory/deciders/hand-over.ts';
import { type OrgDb, transaction } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { newestByPerson } from '#log/events/facts.ts';
import { recordEvents } from '#log/events/record.ts';
import { reviewerReminded } from '../campaigns/events.ts';
import { lockCycle } from '../campaigns/queries/locks.ts';
import { reviewRefusals } from '../sentences.ts';
import { reviewersWaitedFor } from './waiting.ts';

/** A reviewer gets at most one reminder of a cycle in this time. */
const PAUSE_MINUTES = 60;

/** Returns when each reviewer was last reminded of a cycle by a person. */
export const remindersOf = (db: OrgDb, cycle: { id: string; campaign_id: string }) =>
  newestByPerson(db, 'review.reminded', cycle.campaign_id, { cycle_id: cycle.id });

/**
 * Reminds a reviewer of their undecided items, and those who review in their place. The notification follows from the
 * event. The lock of the cycle orders reminders, so that two administrators cannot both send one.
 */
export async function remindReviewer(
  call: Call,
  cycleId: string,
  userId: string,
): Promise<{ reminded_at: Date; items: number }> {
  return transaction(call, async (tx) => {
    const person = await nomineeOf(tx, userId);
    const cycle = await lockCycle(tx, cycleId);
    if (cycle?.status !== 'in_progress') throw reviewRefusals.cycle_not_open();
    const awaited = await reviewersWaitedFor(tx, cycleId);
    const open = (whose: (typeof awaited)[number]) =>
      whose.userId === person.id || whose.onBehalfOf === person.id ? whose.items : 0;
    const items = Math.max(0, ...awaited.map(open));
    if (items === 0) throw reviewRefusals.reviewer_without_items({ email: person.email });
    const last = (await remindersOf(tx, cycle)).get(person.id);
    const next = last === undefined ? cycle.now : new Date(last.getTime() + PAUSE_MINUTES * 60_000);
    if (next > cycle.now)
      throw reviewRefusals.reminded_lately({ email: person.email, next: next.toISOString() });
    await recordEvents(tx, [reviewerReminded(cycle, { ...person, items }, call.cause)]);
    return { reminded_at: cycle.now, items };
  });
}
