import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { deleteCampaign } from '../campaigns.ts';
import { CampaignParams, knownCampaign, managing, tags } from './schemas.ts';

export function deleteCampaignRoute(http: Http, { db }: RouteTools) {
  http.delete(
    '/api/reviews/:review_id/',
    {
      config: managing,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Delete campaign',
        description: 'No further cycle opens. Existing cycles stay as evidence, and an open one continues.',
        params: CampaignParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteCampaign(db, request.principal.orgId, request.params.review_id, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
