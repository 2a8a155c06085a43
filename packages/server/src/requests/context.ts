import type { Principal } from '../identity/principal.ts';
import { type AccountView, liveAccountOf } from '../inventory/accounts.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import * as queries from './queries/context.ts';
import * as views from './queries/views.ts';

/** What stands beside a request while somebody decides about it. */
export interface TicketContext {
  user: queries.Subject;
  /** What the person has in the app already. */
  account: AccountView | null;
  /** What is asked for, and how common it is among the people of the same manager. */
  asked: queries.Spread[];
}

/**
 * Whom a ticket is for, what they have, and what their colleagues have. requireAccessibleTicket has let the caller;
 * a member who only asked for somebody else gets 403: what that person has is not theirs to see (Roles).
 */
export async function contextOf(db: Db, principal: Principal, ticketId: string): Promise<TicketContext> {
  const { orgId, role, userId } = principal;
  const ticket = await views.findTicket(db, orgId, ticketId);
  if (ticket === undefined) throw notFound('Ticket');
  const person = ticket.user.external_uuid;
  if (role === 'member' && ticket.requester.external_uuid === userId && person !== userId)
    throw forbidden('A member sees their own access, and that of those whose requests they decide about.');
  const user = await queries.subjectOf(db, orgId, person);
  if (user === undefined) throw notFound('User');
  const account = await liveAccountOf(db, orgId, ticket.app_id, person);
  return { user, account: account ?? null, asked: await queries.spreadOf(db, orgId, ticketId) };
}
