import { recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db, Tx } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, type DomainError, forbidden, invalid, notFound } from '../platform/errors.ts';
import { ticketEvent } from './events.ts';
import { grant } from './grant.ts';
import * as views from './queries/views.ts';
import * as queries from './queries/write.ts';
import { notPending, type Ticket } from './ticket.ts';

/** What a decision needs beside the database. */
export interface DecisionTools {
  db: Db;
  /** Days until a pending ticket is EXPIRED. */
  expiryDays: number;
}

export interface Decision {
  verdict: 'approved' | 'denied';
  comment: string;
  /** An administrator decides in place of the approvers, for the whole route. */
  override: boolean;
  /** The step that the approver looked at, from 0; null: whichever it is. */
  step: number | null;
}

/**
 * Approves or denies the current step (governance.md "Requests"). 403 for who is not an approver of it, 409 once the
 * ticket is not PENDING: of decisions at the same moment, the lock of the ticket lets one be first.
 */
export async function decide(
  { db, expiryDays }: DecisionTools,
  principal: Principal,
  ticketId: string,
  decision: Decision,
  cause: Cause,
): Promise<void> {
  const { orgId, userId } = principal;
  if (decision.override) requireAuthority(principal, decision);
  await onPending(db, orgId, ticketId, expiryDays, async (tx, ticket) => {
    if (decision.step !== null && decision.step !== ticket.step)
      throw conflict(`The ticket is at step ${ticket.step + 1} by now.`);
    if (decision.override) await requireForeign(tx, orgId, userId, ticket);
    else await requireTurn(tx, orgId, userId, ticket);
    const { verdict, override, comment } = decision;
    await queries.insertApproval(tx, orgId, ticketId, {
      step: ticket.step,
      approverId: userId,
      decision: verdict,
      override,
      comment,
    });
    if (verdict === 'denied') {
      await queries.setDecided(tx, orgId, ticketId, 'REJECTED', null);
      await recordEvents(tx, orgId, [ticketEvent(ticket, cause, 'ticket.denied', { comment, override })]);
    } else if (override) await approve(tx, orgId, ticket, cause);
    else await goOn(tx, orgId, ticket, cause);
  });
}

function requireAuthority({ role }: Principal, { comment }: Decision) {
  if (role !== 'owner' && role !== 'admin') throw forbidden('Only an administrator may override.');
  if (comment.trim() === '') throw invalid('Field required (comment): an override says why.');
}

/** Nobody decides about their own request; but where there is one administrator only, nobody else could (docs/requests.md). */
async function requireForeign(tx: Tx, orgId: string, userId: string, ticket: Ticket): Promise<void> {
  const own = [ticket.requester.external_uuid, ticket.user.external_uuid];
  if (own.includes(userId) && (await queries.hasOtherAdministrator(tx, orgId, own)))
    throw forbidden('Nobody decides about their own request: another administrator has to.');
}

async function requireTurn(tx: Tx, orgId: string, userId: string, ticket: Ticket): Promise<void> {
  const made = await views.approvalsOf(tx, orgId, [ticket.id]);
  if (made.some(({ step, approver }) => step === ticket.step && approver.external_uuid === userId))
    throw conflict('You have approved this step already.');
  if (!ticket.waiting_for.some(({ external_uuid }) => external_uuid === userId))
    throw forbidden('You are not an approver of this ticket now.');
}

/** Withdraws a ticket: who asks, for whom it is, and administrators may (403). 409 once it is not PENDING. */
export async function cancel(
  { db, expiryDays }: DecisionTools,
  { orgId, userId, role }: Principal,
  ticketId: string,
  comment: string,
): Promise<void> {
  await onPending(db, orgId, ticketId, expiryDays, async (tx, ticket) => {
    const theirs = [ticket.requester, ticket.user].some(({ external_uuid }) => external_uuid === userId);
    if (!theirs && role !== 'owner' && role !== 'admin')
      throw forbidden('Only who asked, for whom it is, or an administrator may cancel this ticket.');
    const by = theirs ? 'Withdrawn.' : 'An administrator canceled it.';
    await queries.setDecided(tx, orgId, ticketId, 'CANCELED', `${by} ${comment}`.trim());
  });
}

/**
 * Runs `act` on the ticket, locked and PENDING, or throws 409. A ticket whose time is over is closed first, and stays
 * so: that is why its refusal is thrown after the commit.
 */
async function onPending(
  db: Db,
  orgId: string,
  ticketId: string,
  expiryDays: number,
  act: (tx: Tx, ticket: Ticket) => Promise<void>,
): Promise<void> {
  const refusal = await transaction(db, async (tx): Promise<DomainError | undefined> => {
    await queries.lockTicket(tx, orgId, ticketId);
    await queries.closeOver(tx, expiryDays, { orgId, ticketId });
    const ticket = await views.findTicket(tx, orgId, ticketId);
    if (ticket === undefined) return notFound('Ticket');
    if (ticket.status !== 'PENDING') return conflict(notPending(ticket));
    await act(tx, ticket);
    return undefined;
  });
  if (refusal !== undefined) throw refusal;
}

/** Leaves the steps behind that are done; behind the last, the ticket is approved. The caller holds the ticket. */
async function goOn(tx: Tx, orgId: string, ticket: Ticket, cause: Cause): Promise<void> {
  const step = await queries.advance(tx, orgId, ticket.id);
  if (step !== undefined && step >= ticket.steps.length) await approve(tx, orgId, ticket, cause);
}

async function approve(tx: Tx, orgId: string, ticket: Ticket, cause: Cause): Promise<void> {
  const approvals = await views.approvalsOf(tx, orgId, [ticket.id]);
  const approvers = [...new Set(approvals.map(({ approver }) => approver.external_uuid))];
  const last = approvals.at(-1);
  if (last === undefined)
    throw new Error(`Ticket ${ticket.id} is to be approved, and nobody has approved it.`);
  const granted = await grant(tx, orgId, ticket, last.approver.external_uuid, cause);
  await queries.setDecided(tx, orgId, ticket.id, 'APPROVED', granted.outcome);
  await queries.setGranted(tx, orgId, ticket.id, granted.accountId, granted.moved);
  const told = ticketEvent({ ...ticket, account_id: granted.accountId }, cause, 'ticket.approved', {
    comment: last.comment,
    override: last.override,
    approvers,
  });
  await recordEvents(tx, orgId, [told, ...granted.events]);
}

/** For a step that is done though nobody was there to go on: the last one who was asked has left. */
export async function goOnWithout(
  { db, expiryDays }: DecisionTools,
  orgId: string,
  ticketId: string,
  cause: Cause,
): Promise<void> {
  await onPending(db, orgId, ticketId, expiryDays, (tx, ticket) => goOn(tx, orgId, ticket, cause));
}
