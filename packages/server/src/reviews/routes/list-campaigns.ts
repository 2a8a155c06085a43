import { Type } from 'typebox';
import { envelope, listReply, pageOf, pageQuery } from '../../platform/http/lists.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { listCampaigns } from '../campaigns.ts';
import { CampaignView, campaignView } from './campaign-schemas.ts';
import { allApps, reading, tags } from './schemas.ts';

export function listCampaignsRoute(http: Http, { origin }: RouteTools) {
  http.get(
    '/api/reviews/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: allApps,
      schema: {
        tags,
        summary: 'List campaigns',
        querystring: Type.Object(pageQuery),
        response: { 200: envelope(CampaignView) },
      },
    },
    async (request) => {
      const { db } = request.reads;
      const page = pageOf(request.query);
      const { count, results } = await listCampaigns(db, request.principal.orgId, page);
      return listReply(request, origin(request), page, { count, results: results.map(campaignView) });
    },
  );
}
