import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { type Task, tasksByIds, tasksOfTickets } from '../provisioning/create.ts';
import * as views from './queries/views.ts';
import type { Approval, Ticket } from './ticket.ts';

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
export async function requireAccessibleTicket(db: Db, principal: Principal, ticketId: string): Promise<void> {
  const { orgId, userId, role } = principal;
  const appId = isUuid(ticketId) ? await views.appOfTicket(db, orgId, ticketId) : undefined;
  if (appId === undefined) throw notFound('Ticket');
  if (!mayTouchApp(principal, appId)) throw forbidden("This key does not cover the ticket's app.");
  if (role === 'member' && !(await views.isVisibleTo(db, orgId, ticketId, userId)))
    throw forbidden('Members can see their own tickets and tickets that they decide.');
}

/** The caller has passed requireAccessibleTicket. */
export async function ticketDetails(db: Db, orgId: string, ticketId: string): Promise<TicketDetails> {
  const ticket = await views.findTicket(db, orgId, ticketId);
  const [details] = ticket === undefined ? [] : await withDetails(db, orgId, [ticket]);
  if (details === undefined) throw notFound('Ticket');
  return details;
}

export type ListFilter = Omit<views.TicketFilter, 'apps' | 'toDecide' | 'member'> & {
  app: string | null;
  /** Only tickets that await the caller's decision. */
  toApprove: boolean;
};

/**
 * Lists tickets, newest first. A listed key sees the tickets of its apps, and gets 403 for another app (D7). A member
 * sees the tickets that concern them (protocol 16).
 */
export async function listTickets(
  db: Db,
  principal: Principal,
  { app, toApprove, ...filter }: ListFilter,
  page: Page,
): Promise<Slice<TicketDetails>> {
  const { orgId, userId, role } = principal;
  if (app !== null && !mayTouchApp(principal, app)) throw forbidden('This key does not cover this app.');
  const keyApps = principal.apps === 'all' ? null : [...principal.apps];
  const { count, results } = await views.listTickets(
    db,
    orgId,
    {
      ...filter,
      apps: app === null ? keyApps : [app],
      toDecide: toApprove ? userId : null,
      member: role === 'member' ? userId : null,
    },
    page,
  );
  return { count, results: await withDetails(db, orgId, results) };
}

/** Counts the organization's pending tickets, up to `limit`. */
export const countPendingTickets = (db: Db, orgId: string, limit: number): Promise<number> =>
  views.countPending(db, orgId, limit);

async function withDetails(db: Db, orgId: string, tickets: Ticket[]): Promise<TicketDetails[]> {
  const ids = tickets.map(({ id }) => id);
  const approvals = Map.groupBy(await views.approvalsOf(db, orgId, ids), ({ ticket_id }) => ticket_id);
  const own = Map.groupBy(await tasksOfTickets(db, orgId, ids), ({ source }) => source?.id);
  const moved = await tasksByIds(
    db,
    orgId,
    tickets.flatMap(({ moved_tasks }) => moved_tasks),
  );
  return tickets.map((ticket) => ({
    ...ticket,
    approvals: approvals.get(ticket.id) ?? [],
    tasks: [...(own.get(ticket.id) ?? []), ...moved.filter(({ id }) => ticket.moved_tasks.includes(id))],
  }));
}
