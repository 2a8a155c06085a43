import { causeOf } from '../../identity/cause.ts';
import type { Http } from '../../platform/http/server.ts';
import { startCycle } from '../open.ts';
import { CycleView, cycleView } from './cycle-schemas.ts';
import { CampaignParams, knownCampaign, managing, type ReviewTools, tags } from './schemas.ts';

export function startCycleRoute(http: Http, { db, jobs }: ReviewTools) {
  http.post(
    '/api/reviews/:review_id/start/',
    {
      config: managing,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Start a cycle now',
        params: CampaignParams,
        response: { 201: CycleView },
      },
    },
    async (request, reply) => {
      const { principal, params } = request;
      const cycle = await startCycle({ db, jobs }, principal, params.review_id, causeOf(request));
      reply.code(201);
      return cycleView(cycle);
    },
  );
}
