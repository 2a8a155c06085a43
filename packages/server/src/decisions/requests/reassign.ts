import type { ApprovalStep } from '#inventory/apps/app.ts';
import type { OrgTx } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { recordEvents } from '#log/events/record.ts';
import { changePending, type DecisionTools, requireCurrentApprover } from './decide.ts';
import { ticketEvent } from './events.ts';
import { insertComment } from './queries/comments.ts';
import { isStepComplete, namedApprovers, peopleWhoMightDecide, setApprovers } from './queries/reassign.ts';
import { approvalsOf } from './queries/views.ts';
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
    await requireEligible(tx, ticket, wanted);
    const before = await namedApprovers(tx, ticketId);
    const kept = role === 'owner' || role === 'admin' ? [] : await othersThan(tx, userId, ticket, before);
    const approvers = [...new Set([...kept, ...wanted])];
    const steps = ticket.steps.map(
      (step, i): ApprovalStep => (i === ticket.step ? { ...step, approvers } : step),
    );
    await setApprovers(tx, ticketId, steps, wanted);
    if (await isStepComplete(tx, ticketId)) throw requestRefusals.nobody_left_to_decide();
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
  const { in_place_of } = await requireCurrentApprover(tx, userId, ticket);
  const own = new Set([userId, ...in_place_of]);
  return named.filter((id) => !own.has(id));
}

/** Throws 409 for people who cannot decide, and for those whose decision about this step has been made. */
async function requireEligible(tx: OrgTx, ticket: Ticket, ids: string[]): Promise<void> {
  const found = new Map((await peopleWhoMightDecide(tx, ids)).map((one) => [one.id, one]));
  const approvals = (await approvalsOf(tx, [ticket.id])).filter(({ step }) => step === ticket.step);
  const decided = approvals.flatMap(({ approver, on_behalf_of }) => [approver, ...on_behalf_of]);
  for (const id of ids) {
    const person = found.get(id);
    if (person === undefined) throw notFound('Person');
    if (person.status !== 'active') throw requestRefusals.approver_deactivated({ email: person.email });
    if (person.role === 'auditor') throw requestRefusals.approver_is_auditor({ email: person.email });
    if (isOwnTicket(ticket, id)) throw requestRefusals.approver_is_concerned({ email: person.email });
    if (decided.some(({ external_uuid }) => external_uuid === id))
      throw requestRefusals.approver_has_approved({ email: person.email });
  }
}
