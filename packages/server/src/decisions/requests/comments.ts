import { type OrgDb, transaction } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { recordEvents } from '#log/events/record.ts';
import { changePending, type DecisionTools, requireCurrentApprover } from './decide.ts';
import { ticketEvent } from './events.ts';
import * as queries from './queries/comments.ts';
import { findTicket } from './queries/views.ts';
import { lockTicket } from './queries/write.ts';
import { requestRefusals } from './sentences.ts';
import { isOwnTicket } from './ticket.ts';
import type { Comment } from './ticket-schemas.ts';
import { type TicketDetails, ticketDetails } from './tickets.ts';

const MOST_COMMENTS = 500;

/** The caller has passed requireAccessibleTicket. */
export const listComments = (db: OrgDb, ticketId: string, page: Page): Promise<Slice<Comment>> =>
  queries.listComments(db, ticketId, page);

/** Adds a comment, also after the decision. Everybody who sees the ticket may comment, except auditors. */
export async function addComment(call: Call, ticketId: string, text: string): Promise<Comment> {
  return transaction(call, async (tx) => {
    await lockTicket(tx, ticketId);
    const ticket = await findTicket(tx, ticketId);
    if (ticket === undefined) throw notFound('Request');
    if ((await queries.countComments(tx, ticketId)) >= MOST_COMMENTS)
      throw requestRefusals.too_many_comments({ most: MOST_COMMENTS });
    const made = await queries.insertComment(tx, ticketId, {
      author: call.principal.userId,
      kind: 'comment',
      comment: text,
    });
    await recordEvents(tx, [
      ticketEvent(ticket, call.cause, 'request.commented', { comment_id: made.external_uuid, comment: text }),
    ]);
    return made;
  });
}

/** Asks the requester and the beneficiary a question. The ticket stays PENDING and can still be decided. */
export async function requestInformation(
  tools: DecisionTools,
  call: Call,
  ticketId: string,
  comment: string,
): Promise<TicketDetails> {
  await changePending(tools, call, ticketId, async (tx, ticket) => {
    await requireCurrentApprover(tx, call.principal.userId, ticket);
    if (ticket.information_requested !== null) throw requestRefusals.information_requested_already();
    const author = call.principal.userId;
    const asked = await queries.insertComment(tx, ticketId, {
      author,
      kind: 'information_requested',
      comment,
    });
    await queries.askForInformation(tx, ticketId, asked);
    const extra = { step: ticket.step + 1, comment };
    await recordEvents(tx, [ticketEvent(ticket, call.cause, 'request.information_requested', extra)]);
  });
  return ticketDetails(call, ticketId);
}

/** Adds the information that an approver requested, and ends the wait for it. */
export async function provideInformation(
  tools: DecisionTools,
  call: Call,
  ticketId: string,
  comment: string,
): Promise<TicketDetails> {
  await changePending(tools, call, ticketId, async (tx, ticket) => {
    if (!isOwnTicket(ticket, call.principal.userId)) throw requestRefusals.information_by_few();
    const { information_requested: asked, step } = ticket;
    if (asked === null) throw requestRefusals.information_not_requested();
    const author = call.principal.userId;
    const answer = await queries.insertComment(tx, ticketId, {
      author,
      kind: 'information_provided',
      comment,
    });
    const seconds = Math.max(0, (answer.created_at.getTime() - Date.parse(asked.at)) / 1000);
    await queries.receiveInformation(tx, ticketId, { step, seconds });
    const extra = { step: step + 1, comment };
    await recordEvents(tx, [ticketEvent(ticket, call.cause, 'request.information_provided', extra)]);
  });
  return ticketDetails(call, ticketId);
}
