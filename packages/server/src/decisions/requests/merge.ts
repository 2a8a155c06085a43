import type { MergeHook } from '../../directory/people/merge.ts';
import type { AccountsMergedHook } from '../../inventory/records/correlation.ts';
import { within } from '../../kit/database/organization.ts';
import { closedEvents } from './events.ts';
import * as queries from './queries/merge.ts';
import { cancelPending } from './queries/write.ts';

const SELF_APPROVED = 'The person who approved it and the person for whom it was made are the same.';

/**
 * Pending requests of a merged person move to the person who remains, as do their turns to approve. Requests that one of the
 * two approved for the other are canceled: nobody approves their own request.
 */
export const moveTicketsOfMerged: MergeHook = {
  async move(tx, { orgId, from, into, cause }) {
    const selfApproved = await queries.selfApproved(within(tx, orgId), from.id, into.id);
    const closed = await cancelPending(within(tx, orgId), { ticketIds: selfApproved }, SELF_APPROVED);
    const events = await closedEvents(within(tx, orgId), closed, () => cause);
    const requests = await queries.moveTickets(within(tx, orgId), from.id, into.id);
    return { moved: { requests, canceled_requests: closed.length }, events };
  },
};

/** The requests about a duplicate follow its record (D24). */
export const moveTicketsOfAccounts: AccountsMergedHook = (tx, merges) => queries.moveToAccounts(tx, merges);
