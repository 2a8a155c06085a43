import { recordEvents } from '../events/record.ts';
import { BY_THE_CLOCK, type Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, type DomainError, forbidden, invalid, notFound } from '../platform/errors.ts';
import { closedEvents, ticketEvent } from './events.ts';
import { createTicketTasks } from './grant.ts';
import { insertComment } from './queries/comments.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import { isOwnTicket, notPending, type Ticket, type Verdict } from './ticket.ts';
import { type TicketDetails, ticketDetails } from './tickets.ts';

export interface DecisionTools {
  db: Db;
  /** Days after which a pending ticket expires. */
  expiryDays: number;
}

export interface Decision {
  verdict: Verdict;
  comment: string;
  /** An administrator decides for all approvers of all steps. */
  override: boolean;
  /** The step that the approver decides, from 0. Null: the current one. */
  step: number | null;
}

/**
 * Approves or denies the current step (protocol 13). 403 if the caller is not an approver of it, 409 once the ticket is
 * not PENDING. The lock of the ticket puts simultaneous decisions in order.
 */
export async function decideTicket(
  tools: DecisionTools,
  principal: Principal,
  ticketId: string,
  decision: Decision,
  cause: Cause,
): Promise<TicketDetails> {
  const { orgId, userId } = principal;
  if (decision.override && principal.role !== 'owner' && principal.role !== 'admin')
    throw forbidden('Only an administrator can override approvers.');
  await changePending(tools, orgId, ticketId, async (tx, ticket) => {
    if (decision.step !== null && decision.step !== ticket.step)
      throw conflict(`The ticket has moved to step ${ticket.step + 1}.`);
    if (isOwnTicket(ticket, userId)) throw forbidden(NOT_YOUR_OWN);
    const approver = decision.override ? null : await requireCurrentApprover(tx, orgId, userId, ticket);
    if (decision.override && decision.comment.trim() === '')
      throw invalid('Field required (comment): an override needs a reason.');
    const { verdict, override, comment } = decision;
    await queries.insertApproval(tx, orgId, ticketId, {
      step: ticket.step,
      approverId: userId,
      decision: verdict,
      override,
      comment,
      onBehalfOf: approver?.in_place_of ?? [],
      via: approver?.via ?? null,
    });
    if (verdict === 'denied') {
      await queries.setDecided(tx, orgId, ticketId, 'REJECTED', null);
      await recordEvents(tx, orgId, [ticketEvent(ticket, cause, 'ticket.denied', { comment, override })]);
    } else if (override) await approve(tx, orgId, ticket, cause);
    else if (!(await advance(tx, orgId, ticket, cause))) {
      // ticket.approved records the last approval.
      const approved = { step: ticket.step + 1, comment, on_behalf_of: approver?.in_place_of ?? [] };
      await recordEvents(tx, orgId, [ticketEvent(ticket, cause, 'request.step_approved', approved)]);
    }
  });
  return ticketDetails(tools.db, orgId, ticketId);
}

const NOT_YOUR_OWN =
  'You cannot decide a request that you filed, or that is by you or for you. Ask another approver or administrator.';

/** Returns in whose place the person decides the current step. Throws 409 if they have approved it, 403 if they may not. */
export async function requireCurrentApprover(
  tx: Tx,
  orgId: string,
  userId: string,
  ticket: Ticket,
): Promise<Ticket['waiting_for'][number]> {
  const approver = ticket.waiting_for.find(({ external_uuid }) => external_uuid === userId);
  if (approver !== undefined) return approver;
  const approvals = await views.approvalsOf(tx, orgId, [ticket.id]);
  const ofStep = approvals.filter(({ step }) => step === ticket.step);
  if (ofStep.some(({ approver: made }) => made.external_uuid === userId))
    throw conflict('You have already approved this step.');
  if (ofStep.some(({ on_behalf_of }) => on_behalf_of.some(({ external_uuid }) => external_uuid === userId)))
    throw conflict('Somebody has already approved this step on your behalf.');
  throw forbidden('You are not a current approver of this ticket.');
}

/** Withdraws a ticket. 403 for anybody but the requester, the beneficiary and administrators; 409 once it is decided. */
export async function cancelTicket(
  tools: DecisionTools,
  { orgId, userId, role }: Principal,
  ticketId: string,
  comment: string,
  cause: Cause,
): Promise<TicketDetails> {
  await changePending(tools, orgId, ticketId, async (tx, ticket) => {
    const isOwn = [ticket.requester, ticket.user].some(({ external_uuid }) => external_uuid === userId);
    if (!isOwn && role !== 'owner' && role !== 'admin')
      throw forbidden('Only the requester, the beneficiary or an administrator can cancel this ticket.');
    const how = isOwn ? 'Withdrawn.' : 'Canceled by an administrator.';
    const outcome = `${how} ${comment}`.trim();
    await queries.setDecided(tx, orgId, ticketId, 'CANCELED', outcome);
    await insertComment(tx, orgId, ticketId, { author: userId, kind: 'withdrawn', comment });
    await recordEvents(tx, orgId, [ticketEvent(ticket, cause, 'request.canceled', { reason: outcome })]);
  });
  return ticketDetails(tools.db, orgId, ticketId);
}

/**
 * Runs `change` on the ticket while it is locked and PENDING; throws 409 otherwise. An expired ticket is closed first.
 * The error is thrown after the commit, so that the ticket stays closed.
 */
export async function changePending(
  { db, expiryDays }: DecisionTools,
  orgId: string,
  ticketId: string,
  change: (tx: Tx, ticket: Ticket) => Promise<void>,
): Promise<void> {
  const refusal = await transaction(db, async (tx): Promise<DomainError | undefined> => {
    await queries.lockTicket(tx, orgId, ticketId);
    const closed = await queries.closeExpired(tx, orgId, expiryDays, ticketId);
    if (closed.length > 0)
      await recordEvents(tx, orgId, await closedEvents(tx, orgId, closed, () => BY_THE_CLOCK));
    const ticket = await views.findTicket(tx, orgId, ticketId);
    if (ticket === undefined) return notFound('Ticket');
    if (ticket.status !== 'PENDING') return conflict(notPending(ticket));
    await change(tx, ticket);
    return undefined;
  });
  if (refusal !== undefined) throw refusal;
}

/** Advances a ticket whose current step is complete although no decision was made: its last approver has left. */
export async function advanceTicket(
  tools: DecisionTools,
  orgId: string,
  ticketId: string,
  cause: Cause,
): Promise<void> {
  await changePending(tools, orgId, ticketId, async (tx, ticket) => {
    await advance(tx, orgId, ticket, cause);
  });
}

/**
 * Moves to the next step if the current one is complete, and approves the ticket after its last step. Returns whether
 * the ticket is approved.
 */
async function advance(tx: Tx, orgId: string, ticket: Ticket, cause: Cause): Promise<boolean> {
  const step = await queries.advanceStep(tx, orgId, ticket.id);
  const isLast = step !== undefined && step >= ticket.steps.length;
  if (isLast) await approve(tx, orgId, ticket, cause);
  return isLast;
}

async function approve(tx: Tx, orgId: string, ticket: Ticket, cause: Cause): Promise<void> {
  const approvals = await views.approvalsOf(tx, orgId, [ticket.id]);
  const approvers = [...new Set(approvals.map(({ approver }) => approver.external_uuid))];
  const last = approvals.at(-1);
  if (last === undefined) throw new Error(`Ticket ${ticket.id} cannot be approved without an approval.`);
  const granted = await createTicketTasks(tx, orgId, ticket, last.approver.external_uuid, cause);
  await queries.setDecided(tx, orgId, ticket.id, 'APPROVED', granted.outcome);
  await queries.setGranted(tx, orgId, ticket.id, granted.accountId, granted.moved);
  const approved = ticketEvent({ ...ticket, account_id: granted.accountId }, cause, 'ticket.approved', {
    comment: last.comment,
    override: last.override,
    approvers,
  });
  await recordEvents(tx, orgId, [approved, ...granted.events]);
}
