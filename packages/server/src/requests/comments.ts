import { recordEvents } from '../events/record.ts';
import type { Cause } from '../identity/cause.ts';
import type { Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { transaction } from '../platform/database/transaction.ts';
import { conflict, forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { changePending, type DecisionTools, requireCurrentApprover } from './decide.ts';
import { ticketEvent } from './events.ts';
import type { Comment } from './queries/comments.ts';
import * as queries from './queries/comments.ts';
import { findTicket } from './queries/views.ts';
import { lockTicket } from './queries/write.ts';
import { isOwnTicket } from './ticket.ts';
import { type TicketDetails, ticketDetails } from './tickets.ts';

export { COMMENT_KINDS, type Comment } from './queries/comments.ts';

const MOST_COMMENTS = 500;

/** The caller has passed requireAccessibleTicket. */
export const listComments = (db: Db, orgId: string, ticketId: string, page: Page): Promise<Slice<Comment>> =>
  queries.listComments(db, orgId, ticketId, page);

/** Adds a comment, also after the decision. Everybody who sees the ticket may comment, except auditors. */
export async function addComment(
  db: Db,
  { orgId, userId }: Principal,
  ticketId: string,
  text: string,
  cause: Cause,
): Promise<Comment> {
  return transaction(db, async (tx) => {
    await lockTicket(tx, orgId, ticketId);
    const ticket = await findTicket(tx, orgId, ticketId);
    if (ticket === undefined) throw notFound('Ticket');
    if ((await queries.countComments(tx, orgId, ticketId)) >= MOST_COMMENTS)
      throw conflict(
        `This ticket has ${MOST_COMMENTS} comments already. Continue the conversation elsewhere.`,
      );
    const made = await queries.insertComment(tx, orgId, ticketId, {
      author: userId,
      kind: 'comment',
      comment: text,
    });
    await recordEvents(tx, orgId, [
      ticketEvent(ticket, cause, 'request.commented', { comment_id: made.id, comment: text }),
    ]);
    return made;
  });
}

/** Asks the requester and the beneficiary a question. The ticket stays PENDING and can still be decided. */
export async function requestInformation(
  tools: DecisionTools,
  { orgId, userId }: Principal,
  ticketId: string,
  comment: string,
  cause: Cause,
): Promise<TicketDetails> {
  await changePending(tools, orgId, ticketId, async (tx, ticket) => {
    await requireCurrentApprover(tx, orgId, userId, ticket);
    if (ticket.information_requested !== null)
      throw conflict('More information has been requested already. Wait for the answer, or add a comment.');
    const kind = 'information_requested';
    const asked = await queries.insertComment(tx, orgId, ticketId, { author: userId, kind, comment });
    await queries.askForInformation(tx, orgId, ticketId, asked);
    const extra = { step: ticket.step + 1, comment };
    await recordEvents(tx, orgId, [ticketEvent(ticket, cause, 'request.information_requested', extra)]);
  });
  return ticketDetails(tools.db, orgId, ticketId);
}

/** Adds the information that an approver requested, and ends the wait for it. */
export async function provideInformation(
  tools: DecisionTools,
  { orgId, userId }: Principal,
  ticketId: string,
  comment: string,
  cause: Cause,
): Promise<TicketDetails> {
  await changePending(tools, orgId, ticketId, async (tx, ticket) => {
    if (!isOwnTicket(ticket, userId))
      throw forbidden('Only the requester and the beneficiary can provide the information.');
    const { information_requested: asked, step } = ticket;
    if (asked === null) throw conflict('Nobody has requested more information. Add a comment instead.');
    const kind = 'information_provided';
    const answer = await queries.insertComment(tx, orgId, ticketId, { author: userId, kind, comment });
    const seconds = Math.max(0, (answer.created_at.getTime() - Date.parse(asked.at)) / 1000);
    await queries.receiveInformation(tx, orgId, ticketId, { step, seconds });
    const extra = { step: step + 1, comment };
    await recordEvents(tx, orgId, [ticketEvent(ticket, cause, 'request.information_provided', extra)]);
  });
  return ticketDetails(tools.db, orgId, ticketId);
}
