import { requireIndependentApprover, requireIndependentDeputy } from '#directory/access/resets.ts';
import { type Db, type InTransaction, type OrgDb, type OrgTx, transaction } from '#kit/database.ts';
import { type DomainError, notFound } from '#kit/errors.ts';
import { BY_THE_CLOCK, type Call, type CallTx, type Cause } from '#kit/identity.ts';
import type { Sentence } from '#kit/sentences.ts';
import { type NewEvent, recordEvents } from '#log/events/record.ts';
import { closedEvents, ticketEvent } from './events.ts';
import { createTicketTasks } from './grant.ts';
import { insertComment } from './queries/comments.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import { outcomeSentences, requestRefusals } from './sentences.ts';
import { isOwnTicket, notPending, type Ticket } from './ticket.ts';
import type { Verdict } from './ticket-schemas.ts';
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
  call: Call,
  ticketId: string,
  decision: Decision,
): Promise<TicketDetails> {
  const { userId } = call.principal;
  if (decision.override && call.principal.role !== 'owner' && call.principal.role !== 'admin')
    throw requestRefusals.override_by_administrators();
  await changePending(tools, call, ticketId, async (tx, ticket) => {
    if (decision.step !== null && decision.step !== ticket.step)
      throw requestRefusals.request_moved_on({ step: ticket.step + 1 });
    const waived = await requireIndependence(tx, userId, ticket, decision.verdict);
    const approver = decision.override ? null : await requireCurrentApprover(tx, userId, ticket);
    if (approver !== null)
      waived.push(...(await requireChosenByOthers(tx, approver, ticket, decision.verdict)));
    if (decision.override && decision.comment.trim() === '') throw requestRefusals.override_without_comment();
    const { verdict, override, comment } = decision;
    await queries.insertApproval(tx, ticketId, {
      step: ticket.step,
      approverId: userId,
      decision: verdict,
      override,
      comment,
      onBehalfOf: approver?.in_place_of ?? [],
      via: approver?.via ?? null,
    });
    if (verdict === 'denied') {
      await queries.setDecided(tx, ticketId, 'REJECTED', null);
      await recordEvents(tx, [ticketEvent(ticket, call.cause, 'ticket.denied', { comment, override })]);
      return;
    }
    // ticket.approved records the last approval.
    const approved = { step: ticket.step + 1, comment, on_behalf_of: approver?.in_place_of ?? [] };
    const ofStep = ticketEvent(ticket, call.cause, 'request.step_approved', approved);
    const events = override
      ? await approve(tx, ticket, call.cause)
      : ((await advance(tx, ticket, call.cause)) ?? [ofStep]);
    await recordEvents(tx, [...waived, ...events]);
  });
  return ticketDetails(call, ticketId);
}

/** Throws 403 for a request of one's own, and for one by a person who could have signed in as the approver (D70). */
async function requireIndependence(
  tx: CallTx,
  userId: string,
  ticket: Ticket,
  verdict: Verdict,
): Promise<NewEvent[]> {
  if (isOwnTicket(ticket, userId)) throw requestRefusals.own_request();
  if (verdict === 'denied') return [];
  return requireIndependentApprover(tx, userId, concernedBy(ticket));
}

/** Throws 403 for a deputy whom a person made one for a request of theirs (D70). */
async function requireChosenByOthers(
  tx: CallTx,
  { external_uuid: deputyId, in_place_of }: Ticket['waiting_for'][number],
  ticket: Ticket,
  verdict: Verdict,
): Promise<NewEvent[]> {
  if (verdict === 'denied') return [];
  const waived: NewEvent[] = [];
  for (const absentId of in_place_of)
    waived.push(...(await requireIndependentDeputy(tx, { deputyId, absentId }, concernedBy(ticket))));
  return waived;
}

const concernedBy = ({ requester, user, created_by }: Ticket): string[] =>
  [requester, user, created_by].map(({ external_uuid }) => external_uuid);

/** Returns in whose place the person decides the current step. Throws 409 if they have approved it, 403 if they may not. */
export async function requireCurrentApprover(
  tx: OrgTx,
  userId: string,
  ticket: Ticket,
): Promise<Ticket['waiting_for'][number]> {
  const approver = ticket.waiting_for.find(({ external_uuid }) => external_uuid === userId);
  if (approver !== undefined) return approver;
  const approvals = await views.approvalsOf(tx, [ticket.id]);
  const ofStep = approvals.filter(({ step }) => step === ticket.step);
  if (ofStep.some(({ approver: made }) => made.external_uuid === userId))
    throw requestRefusals.step_approved_already();
  if (ofStep.some(({ on_behalf_of }) => on_behalf_of.some(({ external_uuid }) => external_uuid === userId)))
    throw requestRefusals.step_approved_on_behalf();
  throw requestRefusals.not_an_approver();
}

function cancellation(isOwn: boolean, words: string): Sentence {
  if (isOwn)
    return words === ''
      ? outcomeSentences.request_withdrawn()
      : outcomeSentences.request_withdrawn_because({ words });
  return words === ''
    ? outcomeSentences.request_canceled()
    : outcomeSentences.request_canceled_because({ words });
}

/** Withdraws a ticket. 403 for anybody but the requester, the beneficiary and administrators; 409 once it is decided. */
export async function cancelTicket(
  tools: DecisionTools,
  call: Call,
  ticketId: string,
  comment: string,
): Promise<TicketDetails> {
  await changePending(tools, call, ticketId, async (tx, ticket) => {
    const isOwn = [ticket.requester, ticket.user].some(
      ({ external_uuid }) => external_uuid === call.principal.userId,
    );
    if (!isOwn && call.principal.role !== 'owner' && call.principal.role !== 'admin')
      throw requestRefusals.cancellation_by_few();
    const outcome = cancellation(isOwn, comment.trimEnd());
    await queries.setDecided(tx, ticketId, 'CANCELED', outcome);
    await insertComment(tx, ticketId, {
      author: call.principal.userId,
      kind: 'withdrawn',
      comment,
    });
    await recordEvents(tx, [ticketEvent(ticket, call.cause, 'request.canceled', { reason: outcome.text })]);
  });
  return ticketDetails(call, ticketId);
}

/**
 * Runs `change` on the ticket while it is locked and PENDING; throws 409 otherwise. An expired ticket is closed first.
 * The error is thrown after the commit, so that the ticket stays closed.
 */
export async function changePending<O extends OrgDb>(
  { expiryDays }: DecisionTools,
  org: O,
  ticketId: string,
  change: (tx: InTransaction<O>, ticket: Ticket) => Promise<void>,
): Promise<void> {
  const refusal = await transaction(org, async (tx): Promise<DomainError | undefined> => {
    await queries.lockTicket(tx, ticketId);
    const closed = await queries.closeExpired(tx, expiryDays, ticketId);
    if (closed.length > 0) await recordEvents(tx, await closedEvents(tx, closed, () => BY_THE_CLOCK));
    const ticket = await views.findTicket(tx, ticketId);
    if (ticket === undefined) return notFound('Request');
    if (ticket.status !== 'PENDING') return notPending(ticket);
    await change(tx, ticket);
    return undefined;
  });
  if (refusal !== undefined) throw refusal;
}

/** Advances a ticket whose current step is complete although no decision was made: its last approver has left. */
export async function advanceTicket(
  tools: DecisionTools,
  org: OrgDb,
  ticketId: string,
  cause: Cause,
): Promise<void> {
  await changePending(tools, org, ticketId, async (tx, ticket) => {
    await recordEvents(tx, (await advance(tx, ticket, cause)) ?? []);
  });
}

/**
 * Moves to the next step if the current one is complete, and approves the ticket after its last step. Returns the events if
 * the ticket is approved.
 */
async function advance(tx: OrgTx, ticket: Ticket, cause: Cause): Promise<NewEvent[] | undefined> {
  const step = await queries.advanceStep(tx, ticket.id);
  const isLast = step !== undefined && step >= ticket.steps.length;
  return isLast ? approve(tx, ticket, cause) : undefined;
}

async function approve(tx: OrgTx, ticket: Ticket, cause: Cause): Promise<NewEvent[]> {
  const approvals = await views.approvalsOf(tx, [ticket.id]);
  const approvers = [...new Set(approvals.map(({ approver }) => approver.external_uuid))];
  const last = approvals.at(-1);
  if (last === undefined) throw new Error(`Request ${ticket.id} cannot be approved without an approval.`);
  const granted = await createTicketTasks(tx, ticket, last.approver.external_uuid, cause);
  await queries.setDecided(tx, ticket.id, 'APPROVED', granted.outcome);
  if (granted.accountId !== null) await queries.setAccount(tx, ticket.id, granted.accountId);
  const approved = ticketEvent(
    { ...ticket, account_id: granted.accountId ?? ticket.account_id },
    cause,
    'ticket.approved',
    {
      comment: last.comment,
      override: last.override,
      approvers,
      outcome: granted.outcome?.text ?? null,
    },
  );
  return [approved, ...granted.events];
}
