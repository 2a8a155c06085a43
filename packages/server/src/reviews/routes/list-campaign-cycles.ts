import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listCycles } from '../cycles.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { CampaignParams, CycleStatus, knownCampaign, reading, tags } from './schemas.ts';

export function listCampaignCyclesRoute(http: Http, { db, origin }: RouteTools) {
  http.get(
    '/api/reviews/:review_id/cycles/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'List cycles of a campaign',
        params: CampaignParams,
        querystring: Type.Object({ ...pageQuery, status: Type.Optional(CycleStatus) }),
        response: { 200: envelope(CycleView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { status = null } = request.query;
      const filter = { campaign: request.params.review_id, status, mine: false };
      const { count, results } = await listCycles(db, request.principal, filter, page);
      return listReply(request, origin(request), page, { count, results: results.map(cycleView) });
    },
  );
}
