import { Type } from 'typebox';
import {
  CandidateSearch,
  Candidates,
  candidates,
} from '../../../directory/people/routes/candidate-schemas.ts';
import { Component, Uuid } from '../../../kit/http/schemas.ts';
import type { Http } from '../../../kit/http/server.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { searchApprovers } from '../candidates.ts';
import { reassignTicket } from '../reassign.ts';
import {
  accessibleTicket,
  personal,
  personalForAllApps,
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
        body: Component('TicketReassignment', {
          to: Type.Array(Uuid, { minItems: 1, maxItems: 20 }),
          reason: RequiredComment,
        }),
        response: { 200: TicketItem },
      },
    },
    async (request) => {
      const { params, body } = request;
      const tools = { db, expiryDays };
      return ticketItem(await reassignTicket(tools, callOf(tools.db, request), params.ticket_id, body));
    },
  );
}

export function searchApproversRoute(http: Http, { db }: TicketTools) {
  http.get(
    '/api/tickets/:ticket_id/reassign/candidates/',
    {
      config: personalForAllApps,
      onRequest: accessibleTicket(db),
      schema: {
        tags,
        summary: 'Search people to whom the current step can be reassigned',
        description: 'For administrators and current approvers.',
        params: TicketParams,
        querystring: CandidateSearch,
        response: { 200: Candidates },
      },
    },
    async (request) =>
      candidates(await searchApprovers(callOf(db, request), request.params.ticket_id, request.query.q ?? '')),
  );
}
