import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changeCampaign } from '../campaigns.ts';
import { CampaignChange, CampaignView, campaignView, changeIn } from './campaign-schemas.ts';
import { CampaignParams, knownCampaign, managing, tags } from './schemas.ts';

export function changeCampaignRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/reviews/:review_id/',
    {
      config: managing,
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Change campaign',
        description: 'Takes effect with the next cycle. Open cycles keep their settings.',
        params: CampaignParams,
        body: CampaignChange,
        response: { 200: CampaignView },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      const change = changeIn(body);
      return campaignView(
        await changeCampaign(db, principal.orgId, params.review_id, change, causeOf(request)),
      );
    },
  );
}
