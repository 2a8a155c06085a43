import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { requestInformation } from '../comments.ts';
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

export function requestInformationRoute(http: Http, { db, expiryDays }: TicketTools) {
  http.post(
    '/api/tickets/:ticket_id/request-information/',
    {
      config: personal,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Request more information',
        description: 'The ticket stays PENDING. The requester or the user answers.',
        params: TicketParams,
        body: Type.Object({ comment: RequiredComment }),
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const tools = { db, expiryDays };
      return ticketItem(
        await requestInformation(tools, principal, params.ticket_id, body.comment, causeOf(request)),
      );
    },
  );
}
