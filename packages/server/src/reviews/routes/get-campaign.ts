import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getCampaign } from '../campaigns.ts';
import { CampaignView, campaignView } from './campaign-schemas.ts';
import { CampaignParams, knownCampaign, reading, tags } from './schemas.ts';

export function getCampaignRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/:review_id/',
    {
      config: reading,
      onRequest: knownCampaign(db),
      schema: { tags, summary: 'Get campaign', params: CampaignParams, response: { 200: CampaignView } },
    },
    async ({ principal, params }) => campaignView(await getCampaign(db, principal.orgId, params.review_id)),
  );
}
