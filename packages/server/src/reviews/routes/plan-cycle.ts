import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { planOfCycle } from '../cycles.ts';
import { ItemView, itemView } from './item-schemas.ts';
import { accessibleCycle, CycleParams, reading, tags } from './schemas.ts';

const Count = Type.Integer();
const Plan = Type.Object({
  ...envelope(ItemView).properties,
  counts: Type.Object({
    accounts: Type.Object({ suspended: Count, removed: Count }),
    memberships: Type.Object({ removed: Count }),
  }),
  needs_confirmation: Type.Boolean({
    description: 'Whether the tasks would be held because they exceed the daily budget of an app.',
  }),
});

/** D46. */
export function planCycleRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/plan/',
    {
      config: reading,
      onRequest: accessibleCycle(db),
      schema: {
        tags,
        summary: 'Preview the revocations of a cycle',
        description:
          'Returns the items whose access is revoked and still exists, or would be revoked if the cycle closed now.',
        params: CycleParams,
        querystring: Type.Object(pageQuery),
        response: { 200: Plan },
      },
    },
    async (request) => {
      const page = pageOf(request.query);
      const { counts, needs_confirmation, count, results } = await planOfCycle(
        db,
        request.principal,
        request.params.cycle_id,
        page,
      );
      return {
        ...listReply(request, origin(request), page, { count, results: results.map(itemView) }),
        counts,
        needs_confirmation,
      };
    },
  );
}
