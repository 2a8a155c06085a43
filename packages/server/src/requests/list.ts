import { mayTouchApp, type Principal } from '../identity/principal.ts';
import type { Db } from '../platform/database/open.ts';
import { forbidden, notFound } from '../platform/errors.ts';
import type { Page, Slice } from '../platform/http/lists.ts';
import { isUuid } from '../platform/ids.ts';
import { type Task, tasksByIds, tasksOfTickets } from '../provisioning/create.ts';
import * as views from './queries/views.ts';
import { appOfTicket } from './queries/write.ts';
import type { Approval, Ticket } from './ticket.ts';

/** A ticket with what happened to it. */
export interface TicketFile extends Ticket {
  approvals: Approval[];
  /** Those that it made, and those of earlier tickets that it made anew. */
  tasks: Task[];
}

/**
 * 404 for a ticket that is not in the organization, 403 for one of an app that the key may not touch (D7), and for a
 * member whom it does not concern (Roles).
 */
export async function requireAccessibleTicket(db: Db, principal: Principal, ticketId: string): Promise<void> {
  const { orgId, userId, role } = principal;
  const appId = isUuid(ticketId) ? await appOfTicket(db, orgId, ticketId) : undefined;
  if (appId === undefined) throw notFound('Ticket');
  if (!mayTouchApp(principal, appId)) throw forbidden('This key may not touch the app of this ticket.');
  if (role === 'member' && !(await views.concerns(db, orgId, ticketId, userId)))
    throw forbidden('A member sees their own tickets, and those that they decide about.');
}

/** Contract 4.13; requireAccessibleTicket has let the caller. */
export async function ticketFile(db: Db, orgId: string, ticketId: string): Promise<TicketFile> {
  const ticket = await views.findTicket(db, orgId, ticketId);
  const [file] = ticket === undefined ? [] : await withHistory(db, orgId, [ticket]);
  if (file === undefined) throw notFound('Ticket');
  return file;
}

export type ListFilter = Omit<views.TicketFilter, 'apps' | 'toDecide' | 'member'> & {
  app: string | null;
  /** Those that wait for the caller's decision. */
  toApprove: boolean;
};

/**
 * A listed key sees the tickets of its apps; asking for another app is 403 (D7). A member sees what concerns them
 * (Roles).
 */
export async function listTickets(
  db: Db,
  principal: Principal,
  { app, toApprove, ...filter }: ListFilter,
  page: Page,
): Promise<Slice<TicketFile>> {
  const { orgId, userId, role } = principal;
  if (app !== null && !mayTouchApp(principal, app)) throw forbidden('This key may not touch this app.');
  const mine = principal.apps === 'all' ? null : [...principal.apps];
  const { count, results } = await views.listTickets(
    db,
    orgId,
    {
      ...filter,
      apps: app === null ? mine : [app],
      toDecide: toApprove ? userId : null,
      member: role === 'member' ? userId : null,
    },
    page,
  );
  return { count, results: await withHistory(db, orgId, results) };
}

async function withHistory(db: Db, orgId: string, tickets: Ticket[]): Promise<TicketFile[]> {
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
