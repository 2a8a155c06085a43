import { CandidateSearch, Candidates, candidates } from '../../people/routes/candidate-schemas.ts';
import type { Http } from '../../platform/http/server.ts';
import { searchApprovers } from '../candidates.ts';
import { accessibleTicket, personalForAllApps, TicketParams, type TicketTools, tags } from './schemas.ts';

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
    async ({ principal, params, query }) =>
      candidates(await searchApprovers(db, principal, params.ticket_id, query.q ?? '')),
  );
}
