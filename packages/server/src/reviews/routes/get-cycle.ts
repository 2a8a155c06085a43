import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getCycle } from '../cycles.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { accessibleCycle, CycleParams, reviewing, tags } from './schemas.ts';

export function getCycleRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/cycles/:cycle_id/',
    {
      config: reviewing,
      onRequest: accessibleCycle(db),
      schema: { tags, summary: 'Get cycle', params: CycleParams, response: { 200: CycleView } },
    },
    async ({ principal, params }) => cycleView(await getCycle(db, principal, params.cycle_id)),
  );
}
