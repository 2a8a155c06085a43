import type { Http, RouteTools } from '../../platform/http/server.ts';
import { ticketDetails } from '../tickets.ts';
import { accessibleTicket, reading, TicketItem, TicketParams, tags, ticketItem } from './schemas.ts';

export function getTicketRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/tickets/:ticket_id/',
    {
      config: reading,
      onRequest: accessibleTicket(db),
      schema: { tags, summary: 'Get ticket', params: TicketParams, response: { 200: TicketItem } },
    },
    async ({ principal, params }) => ticketItem(await ticketDetails(db, principal.orgId, params.ticket_id)),
  );
}
