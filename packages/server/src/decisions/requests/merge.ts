import type { MergeHook } from '#directory/people/merge.ts';
import { closedEvents } from './events.ts';
import { selfApproved } from './queries/merge.ts';
import { cancelPending } from './queries/write.ts';

const SELF_APPROVED = 'The person who approved it and the person for whom it was made are the same.';

/** Cancels requests that one of two merged people approved for the other: nobody approves their own request. */
export const cancelTicketsOfMerged: MergeHook = {
  async move(tx, { from, into, cause }) {
    const ticketIds = await selfApproved(tx, from.id, into.id);
    const closed = await cancelPending(tx, { ticketIds }, SELF_APPROVED);
    const events = await closedEvents(tx, closed, () => cause);
    return { moved: { canceled_requests: closed.length }, events };
  },
};
