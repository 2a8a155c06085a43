import type { Principal } from '../identity/principal.ts';
import { type Candidate, searchCandidates } from '../people/candidates.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import { approvalsOf, findTicket } from './queries/views.ts';
import { isOwnTicket } from './ticket.ts';

/**
 * Finds people to whom the current step can be handed over (reassign.ts). 403 for members who are not current approvers:
 * they must not read other people.
 */
export async function searchApprovers(
  db: Db,
  { orgId, userId, role }: Principal,
  ticketId: string,
  q: string,
): Promise<Candidate[]> {
  const ticket = await findTicket(db, orgId, ticketId);
  if (ticket === undefined) throw notFound('Ticket');
  const decides = ticket.waiting_for.some(({ external_uuid }) => external_uuid === userId);
  if (role === 'member' && (!decides || isOwnTicket(ticket, userId)))
    throw forbidden('You are not a current approver of this ticket.');
  const approvals = (await approvalsOf(db, orgId, [ticketId])).filter(({ step }) => step === ticket.step);
  const excluded = [
    ticket.user,
    ticket.requester,
    ticket.created_by,
    ...approvals.flatMap(({ approver, on_behalf_of }) => [approver, ...on_behalf_of]),
  ].map(({ external_uuid }) => external_uuid);
  return searchCandidates(db, orgId, q, role === 'member' ? [...excluded, userId] : excluded);
}
