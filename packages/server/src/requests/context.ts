import type { Principal } from '../identity/principal.ts';
import { type AccountView, liveAccountOf } from '../inventory/accounts.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import * as queries from './queries/context.ts';
import * as views from './queries/views.ts';
import { isOwnTicket } from './ticket.ts';

/** Facts about the beneficiary that help an approver decide. */
export interface TicketContext {
  user: queries.Beneficiary;
  /** The beneficiary's current account in the app. */
  account: AccountView | null;
  /** The requested groups and licenses, and how many teammates hold each. */
  asked: queries.RequestedEntitlement[];
}

/**
 * Returns the beneficiary, their current access and that of their teammates. The caller has passed
 * requireAccessibleTicket. 403 for a member who is only the requester: the beneficiary's access is not theirs to see.
 */
export async function ticketContext(db: Db, principal: Principal, ticketId: string): Promise<TicketContext> {
  const { orgId, role, userId } = principal;
  const ticket = await views.findTicket(db, orgId, ticketId);
  if (ticket === undefined) throw notFound('Ticket');
  const beneficiary = ticket.user.external_uuid;
  if (role === 'member' && isOwnTicket(ticket, userId) && beneficiary !== userId)
    throw forbidden('Members can see their own access and the access of people whose requests they decide.');
  const user = await queries.findBeneficiary(db, orgId, beneficiary);
  if (user === undefined) throw notFound('User');
  const account = await liveAccountOf(db, orgId, ticket.app_id, beneficiary);
  return { user, account: account ?? null, asked: await queries.requestedEntitlements(db, orgId, ticketId) };
}
