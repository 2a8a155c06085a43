import { liveAccountOf } from '#inventory/records/accounts/accounts.ts';
import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import type { Call } from '#kit/identity.ts';
import { expectedUserNames } from '#work/provisioning/user-names/preview.ts';
import type { TicketContext } from './context-schemas.ts';
import * as queries from './queries/context.ts';
import * as views from './queries/views.ts';
import { requestRefusals } from './sentences.ts';
import { isOwnTicket } from './ticket.ts';

/**
 * Returns the beneficiary, their current access and that of their teammates. The caller has passed
 * requireAccessibleTicket. 403 for a member who is only the requester: the beneficiary's access is not theirs to see.
 */
export async function ticketContext(call: Call, ticketId: string): Promise<TicketContext> {
  const { role, userId } = call.principal;
  const ticket = await views.findTicket(call, ticketId);
  if (ticket === undefined) throw notFound('Request');
  const beneficiary = ticket.user.external_uuid;
  if (role === 'member' && isOwnTicket(ticket, userId) && beneficiary !== userId)
    throw requestRefusals.request_context_restricted();
  const user = await queries.findBeneficiary(call, beneficiary);
  if (user === undefined) throw notFound('Person');
  const account = await liveAccountOf(call, ticket.app_id, beneficiary);
  const isCreated = account === undefined && ticket.status === 'PENDING';
  return {
    user,
    account: account === undefined ? null : { ...account, external_uuid: account.id },
    username: isCreated ? await expectedName(call, ticket.app_id, beneficiary) : null,
    asked: await queries.requestedEntitlements(call, ticketId),
  };
}

/** Returns the user name that a new account of the person would get now (D82). */
async function expectedName(db: OrgDb, appId: string, userId: string): Promise<string | null> {
  return (await expectedUserNames(db, appId, [userId])).get(userId) ?? null;
}
