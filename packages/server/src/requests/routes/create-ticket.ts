import { type Static, Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Instant, Nullable, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { createTicket, type TicketRequest } from '../create.ts';
import { TICKET_TYPES } from '../ticket.ts';
import { Comment, personal, TicketItem, tags, ticketItem } from './schemas.ts';

const Ids = Type.Array(Type.String({ minLength: 1, maxLength: 512 }), { maxItems: 100 });
const IdsBySlug = Type.Optional(Nullable(Type.Record(Type.String(), Ids, { maxProperties: 100 })));
const NewTicket = Type.Object({
  external_uuid: Type.Optional(
    Nullable(
      Type.String({
        format: 'uuid',
        description:
          'The id of the ticket. Sending the same request with it again creates no second ticket, also if start_time or end_time differ by up to a day. 409 for another request.',
      }),
    ),
  ),
  app: Uuid,
  user: Uuid,
  requester: Type.Optional(
    Nullable(
      Type.String({
        format: 'uuid',
        description: 'Only administrators can name another requester. Default: the caller.',
      }),
    ),
  ),
  type: Type.Enum([...TICKET_TYPES]),
  memberships: IdsBySlug,
  assignments: IdsBySlug,
  start_time: Type.Optional(Nullable(Instant)),
  end_time: Type.Optional(Nullable(Instant)),
  initial_comment: Comment,
});

const requestIn = (body: Static<typeof NewTicket>): TicketRequest => ({
  id: body.external_uuid?.toLowerCase() ?? null,
  app: body.app,
  user: body.user,
  requester: body.requester ?? null,
  type: body.type,
  memberships: body.memberships ?? {},
  assignments: body.assignments ?? {},
  startTime: body.start_time ?? null,
  endTime: body.end_time ?? null,
  comment: body.initial_comment ?? '',
});

export function createTicketRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/tickets/',
    {
      config: personal,
      schema: { tags, summary: 'Request access', body: NewTicket, response: { 201: TicketItem } },
    },
    async (request, reply) => {
      const ticket = await createTicket(db, request.principal, requestIn(request.body), causeOf(request));
      reply.code(201);
      return ticketItem(ticket);
    },
  );
}
