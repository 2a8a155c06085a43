import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { reassignTicket } from '../reassign.ts';
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

export function reassignTicketRoute(http: Http, { db, expiryDays }: TicketTools) {
  http.post(
    '/api/tickets/:ticket_id/reassign/',
    {
      config: personal,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Reassign the current step',
        description:
          'For administrators and current approvers. An administrator replaces everybody whom the step names, an approver themselves.',
        params: TicketParams,
        body: Type.Object({
          to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
          reason: RequiredComment,
        }),
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const tools = { db, expiryDays };
      return ticketItem(await reassignTicket(tools, principal, params.ticket_id, body, causeOf(request)));
    },
  );
}
