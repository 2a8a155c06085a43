import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { cancelTicket } from '../decide.ts';
import {
  accessibleTicket,
  Comment,
  canceling,
  TicketItem,
  TicketParams,
  type TicketTools,
  tags,
  ticketItem,
} from './schemas.ts';

const Withdrawal = Type.Optional(Nullable(Type.Object({ comment: Comment })));

export function cancelTicketRoute(http: Http, { db, expiryDays }: TicketTools) {
  http.post(
    '/api/tickets/:ticket_id/cancel/',
    {
      config: canceling,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Withdraw ticket',
        params: TicketParams,
        body: Withdrawal,
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const tools = { db, expiryDays };
      const comment = body?.comment ?? '';
      return ticketItem(await cancelTicket(tools, principal, params.ticket_id, comment, causeOf(request)));
    },
  );
}
