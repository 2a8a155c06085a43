import type { OrgDb } from '#kit/database.ts';
import { notFound } from '#kit/errors.ts';
import { type Call, mayTouchApp } from '#kit/identity.ts';
import { isUuid } from '#kit/ids.ts';
import type { Page, Slice } from '#kit/pages.ts';
import { tasksOfTickets } from '#work/provisioning/create.ts';
import type { Task } from '#work/provisioning/task.ts';
import type { TicketFilter } from './filters.ts';
import * as views from './queries/views.ts';
import { requestRefusals } from './sentences.ts';
import type { Approval, Ticket } from './ticket.ts';
import { isVisibleTo } from './visibility-facts.ts';

/** A ticket with its approvals and tasks. */
export interface TicketDetails extends Ticket {
  approvals: Approval[];
  /** The tasks that it created, including those that replaced tasks of earlier tickets. */
  tasks: Task[];
}

/**
 * Throws 404 for a ticket outside the organization, and 403 for one of an app that the key does not cover (D7) or, for
 * a member, one that does not concern them (protocol 16).
 */
export async function requireAccessibleTicket(call: Call, ticketId: string): Promise<{ id: string }> {
  const { userId, role } = call.principal;
  const appId = isUuid(ticketId) ? await views.appOfTicket(call, ticketId) : undefined;
  if (appId === undefined) throw notFound('Request');
  if (!mayTouchApp(call.principal, appId)) throw requestRefusals.key_does_not_cover_request();
  if (role === 'member' && !(await isVisibleTo(call, ticketId, userId)))
    throw requestRefusals.requests_restricted();
  return { id: ticketId };
}

/** The caller has passed requireAccessibleTicket. */
export async function ticketDetails(db: OrgDb, ticketId: string): Promise<TicketDetails> {
  const ticket = await views.findTicket(db, ticketId);
  const [details] = ticket === undefined ? [] : await withDetails(db, [ticket]);
  if (details === undefined) throw notFound('Request');
  return details;
}

/**
 * Lists tickets, newest first unless `order` says otherwise. An app-scoped key sees the tickets of its apps, and gets 403 for another app (D7). A member
 * sees the tickets that concern them (protocol 16).
 */
export async function listTickets(
  call: Call,
  filter: TicketFilter & Pick<views.Listed, 'order'>,
  page: Page,
): Promise<Slice<TicketDetails>> {
  const { userId, role, apps } = call.principal;
  if (filter.app !== undefined && !mayTouchApp(call.principal, filter.app))
    throw requestRefusals.key_does_not_cover_app();
  const asked = { ...call, userId, member: role === 'member' };
  const listed = { ...filter, apps: apps === 'all' ? null : [...apps] };
  const { count, results } = await views.listTickets(asked, listed, page);
  return { count, results: await withDetails(call, results) };
}

/** Counts the organization's pending tickets, up to `limit`. */
export const countPendingTickets = (db: OrgDb, limit: number): Promise<number> =>
  views.countPending(db, limit);

async function withDetails(db: OrgDb, tickets: Ticket[]): Promise<TicketDetails[]> {
  const ids = tickets.map(({ id }) => id);
  const approvals = Map.groupBy(await views.approvalsOf(db, ids), ({ ticket_id }) => ticket_id);
  const own = Map.groupBy(await tasksOfTickets(db, ids), ({ source }) => source?.id);
  return tickets.map((ticket) => ({
    ...ticket,
    approvals: approvals.get(ticket.id) ?? [],
    tasks: own.get(ticket.id) ?? [],
  }));
}
