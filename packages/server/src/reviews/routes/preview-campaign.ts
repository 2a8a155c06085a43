import { Type } from 'typebox';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { previewCampaign } from '../preview.ts';
import { CampaignParams, knownCampaign, reading, tags } from './schemas.ts';

const Preview = Type.Object({
  accounts: Type.Integer({ description: 'The accounts with something to review.' }),
  items: Type.Integer(),
  more: Type.Boolean({ description: 'Whether there are more than 20,000 accounts. Only these are counted.' }),
});

export function previewCampaignRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/reviews/:review_id/preview/',
    {
      config: { ...reading, reads: 'replica' },
      onRequest: knownCampaign(db),
      schema: {
        tags,
        summary: 'Count the items of a campaign',
        description: 'Counts the items that a cycle would have if it opened now.',
        params: CampaignParams,
        response: { 200: Preview },
      },
    },
    ({ principal, params, reads }) => previewCampaign(reads.db, principal.orgId, params.review_id),
  );
}
