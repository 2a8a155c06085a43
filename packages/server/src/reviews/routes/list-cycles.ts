import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listCycles } from '../cycles.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { allApps, CycleStatus, reviewing, tags } from './schemas.ts';

const Filters = Type.Object({
  ...pageQuery,
  status: Type.Optional(CycleStatus),
  mine: Type.Optional(Type.Boolean({ description: 'true: only cycles with items that you review.' })),
});

export function listCyclesRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/reviews/cycles/',
    {
      config: { ...reviewing, reads: 'replica' },
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List cycles of all campaigns',
        querystring: Filters,
        response: { 200: envelope(CycleView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { status = null, mine = false } = request.query;
      const filter = { campaign: null, status, mine };
      const { count, results } = await listCycles(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(cycleView) });
    },
  );
}
