import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { createCampaign } from '../campaigns.ts';
import { CampaignView, campaignView, NewCampaign, settingsIn } from './campaign-schemas.ts';
import { allApps, managing, tags } from './schemas.ts';

export function createCampaignRoute(http: Http, { db }: RouteTools) {
  http.post(
    '/api/reviews/',
    {
      config: managing,
      onRequest: allApps,
      schema: { tags, summary: 'Create campaign', body: NewCampaign, response: { 201: CampaignView } },
    },
    async (request, reply) => {
      const { principal, body } = request;
      const campaign = await createCampaign(db, principal, settingsIn(body), causeOf(request));
      reply.code(201);
      return campaignView(campaign);
    },
  );
}
