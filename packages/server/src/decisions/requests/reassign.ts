import { requireNominees } from '#directory/deciders/hand-over.ts';
import type { ApprovalStep } from '#inventory/apps/app.ts';
import type { OrgTx } from '#kit/database.ts';
import type { Call } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import {
  changePending,
  concernedBy,
  type DecisionTools,
  inPlaceOf,
  requireCurrentApprover,
} from './decide.ts';
import { ticketEvent } from './events.ts';
import { peopleWhoCount } from './queries/approvers.ts';
import { insertComment } from './queries/comments.ts';
import { namedApprovers, setApprovers } from './queries/reassign.ts';
import { requestRefusals } from './sentences.ts';
import { isOwnTicket, type Ticket } from './ticket.ts';
import { type TicketDetails, ticketDetails } from './tickets.ts';

/**
 * Hands the current step to other approvers. An administrator replaces everybody whom the step names; an approver
 * replaces the people in whose places they decide. The other steps and `require` stay.
 */
export async function reassignTicket(
  tools: DecisionTools,
  call: Call,
  ticketId: string,
  { to, reason }: { to: string[]; reason: string },
): Promise<TicketDetails> {
  const { userId, role } = call.principal;
  const wanted = [...new Set(to.map((id) => id.toLowerCase()))];
  await changePending(tools, call, ticketId, async (tx, ticket) => {
    if (isOwnTicket(ticket, userId)) throw requestRefusals.own_request_approvers();
    const named = await namedApprovers(tx, ticketId);
    const isAdministrator = role === 'owner' || role === 'admin';
    const kept = isAdministrator ? [] : await othersThan(tx, userId, ticket, named);
    await requireNominees(tx, wanted, {
      concerned: concernedBy(ticket),
      spoken: await peopleWhoCount(tx, ticketId),
      seated: ticket.steps[ticket.step]?.require === 'all' ? kept : [],
    });
    const approvers = [...new Set([...kept, ...wanted])];
    const steps = ticket.steps.map(
      (step, i): ApprovalStep => (i === ticket.step ? { ...step, approvers } : step),
    );
    await setApprovers(tx, ticketId, steps, wanted);
    await insertComment(tx, ticketId, {
      author: userId,
      kind: 'reassigned',
      comment: reason,
    });
    const from = ticket.waiting_for.map(({ external_uuid }) => external_uuid);
    const handedOver = { step: ticket.step + 1, from, to: approvers, reason };
    await recordEvents(tx, [ticketEvent(ticket, call.cause, 'request.reassigned', handedOver)]);
  });
  return ticketDetails(call, ticketId);
}

/** Returns the named approvers in whose places the caller does not decide. Throws 403 if the caller decides for nobody. */
async function othersThan(tx: OrgTx, userId: string, ticket: Ticket, named: string[]) {
  const own = new Set([userId, ...inPlaceOf(await requireCurrentApprover(tx, userId, ticket))]);
  return named.filter((id) => !own.has(id));
}
