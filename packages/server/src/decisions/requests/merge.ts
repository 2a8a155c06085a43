import type { MergeHook } from '#directory/people/merge.ts';
import { closedEvents } from './events.ts';
import { selfApproved } from './queries/merge.ts';
import { cancelPending } from './queries/write.ts';
import { outcomeSentences } from './sentences.ts';

/** Cancels requests that one of two merged people approved for the other: nobody approves their own request. */
export const cancelTicketsOfMerged: MergeHook = {
  async move(tx, { from, into, cause }) {
    const ticketIds = await selfApproved(tx, from.id, into.id);
    const closed = await cancelPending(tx, { ticketIds }, outcomeSentences.request_self_approved());
    const events = await closedEvents(tx, closed, () => cause);
    return { moved: { canceled_requests: closed.length }, events };
  },
};
