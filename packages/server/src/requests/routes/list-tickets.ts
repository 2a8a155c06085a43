import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { TICKET_STATUSES, TICKET_TYPES } from '../ticket.ts';
import { listTickets } from '../tickets.ts';
import { reading, TicketItem, tags, ticketItem } from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  app: Type.Optional(Uuid),
  requester: Type.Optional(Uuid),
  user: Type.Optional(Uuid),
  ticket_status: Type.Optional(Type.Enum([...TICKET_STATUSES])),
  type: Type.Optional(Type.Enum([...TICKET_TYPES])),
  information_requested: Type.Optional(
    Type.Boolean({ description: 'true: only tickets whose approver asked for more information.' }),
  ),
  to_approve: Type.Optional(Type.Boolean({ description: 'true: only tickets that await your decision.' })),
});

export function listTicketsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/tickets/',
    {
      config: { ...reading, reads: 'replica' },
      schema: {
        tags,
        summary: 'List tickets',
        description: 'Newest first. Members see the tickets that concern them.',
        querystring: Filters,
        response: { 200: envelope(TicketItem) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { app = null, requester = null, user = null, type = null, to_approve = false } = request.query;
      const status = request.query.ticket_status ?? null;
      const informationRequested = request.query.information_requested ?? null;
      const filter = { app, requester, user, type, status, informationRequested, toApprove: to_approve };
      const { count, results } = await listTickets(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(ticketItem) });
    },
  );
}
