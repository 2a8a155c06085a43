import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { provideInformation } from '../comments.ts';
import {
  accessibleTicket,
  personal,
  RequiredComment,
  TicketItem,
  TicketParams,
  type TicketTools,
  tags,
  ticketItem,
} from './schemas.ts';

export function provideInformationRoute(http: Http, { db, expiryDays }: TicketTools) {
  http.post(
    '/api/tickets/:ticket_id/provide-information/',
    {
      config: personal,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Provide the requested information',
        description: 'For the requester and the user.',
        params: TicketParams,
        body: Type.Object({ comment: RequiredComment }),
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const tools = { db, expiryDays };
      return ticketItem(
        await provideInformation(tools, principal, params.ticket_id, body.comment, causeOf(request)),
      );
    },
  );
}
