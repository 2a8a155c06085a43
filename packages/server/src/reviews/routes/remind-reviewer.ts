import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Timestamp, Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { remindReviewer } from '../remind.ts';
import { accessibleCycle, managing, tags } from './schemas.ts';

export function remindReviewerRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/cycles/:cycle_id/reviewers/:user_id/remind/',
    {
      config: managing,
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Remind a reviewer of undecided items',
        description:
          'Sends a notification to the reviewer, and to the people who review in their place. At most one per reviewer, cycle and hour.',
        params: Type.Object({ cycle_id: Uuid, user_id: Uuid }),
        response: {
          200: Type.Object({
            reminded_at: Timestamp,
            items: Type.Integer({ description: 'The number of undecided items of the reviewer.' }),
          }),
        },
      },
    },
    async (request) => {
      const { principal, params } = request;
      return remindReviewer(db, principal.orgId, params.cycle_id, params.user_id, causeOf(request));
    },
  );
}
