import { CandidateSearch, Candidates, candidates } from '../../people/routes/candidate-schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { searchReviewers } from '../candidates.ts';
import { accessibleCycle, CycleParams, deciding, tags } from './schemas.ts';

export function searchReviewersRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/items/reassign/candidates/',
    {
      config: deciding,
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Search people to whom items can be reassigned',
        description: 'For administrators and people with undecided items in the cycle.',
        params: CycleParams,
        querystring: CandidateSearch,
        response: { 200: Candidates },
      },
    },
    async ({ principal, params, query }) =>
      candidates(await searchReviewers(db, principal, params.cycle_id, query.q ?? '')),
  );
}
