import { searchCandidates } from '#directory/people/candidates.ts';
import type { Candidate } from '#directory/people/facts.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { concernedBy } from './decide.ts';
import { peopleWhoCount } from './queries/approvers.ts';
import { namedApprovers } from './queries/reassign.ts';
import { findTicket } from './queries/views.ts';
import { requestRefusals } from './sentences.ts';
import { isOwnTicket } from './ticket.ts';

/**
 * Finds people to whom the current step can be handed over (reassign.ts). 403 for members who are not current approvers:
 * they must not read other people.
 */
export async function searchApprovers(call: Call, ticketId: string, q: string): Promise<Candidate[]> {
  const ticket = await findTicket(call, ticketId);
  if (ticket === undefined) throw notFound('Request');
  const decides = ticket.waiting_for.some(({ external_uuid }) => external_uuid === call.principal.userId);
  if (call.principal.role === 'member' && (!decides || isOwnTicket(ticket, call.principal.userId)))
    throw requestRefusals.not_an_approver();
  const excluded = [...concernedBy(ticket), ...(await peopleWhoCount(call, ticketId))];
  if (call.principal.role !== 'member') return searchCandidates(call, q, excluded);
  const seated = ticket.steps[ticket.step]?.require === 'all' ? await namedApprovers(call, ticketId) : [];
  return searchCandidates(call, q, [...excluded, ...seated, call.principal.userId]);
}
