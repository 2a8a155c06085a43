import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { decideTicket } from '../decide.ts';
import { DecisionBody, decisionIn } from './decision-body.ts';
import {
  accessibleTicket,
  personal,
  TicketItem,
  TicketParams,
  type TicketTools,
  tags,
  ticketItem,
} from './schemas.ts';

export function approveTicketRoute(http: Http, { db, expiryDays }: TicketTools) {
  http.post(
    '/api/tickets/:ticket_id/approve/',
    {
      config: personal,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Approve ticket',
        params: TicketParams,
        body: DecisionBody,
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const decision = decisionIn('approved', body);
      const tools = { db, expiryDays };
      return ticketItem(await decideTicket(tools, principal, params.ticket_id, decision, causeOf(request)));
    },
  );
}
