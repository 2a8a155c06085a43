import type { Http } from '../../../kit/http/server.ts';
import {
  decideItemsRoute,
  exportEvidenceRoute,
  getCycleRoute,
  listCampaignCyclesRoute,
  listCyclesRoute,
  listReviewersRoute,
  planCycleRoute,
  remindReviewerRoute,
} from './cycles.ts';
import { getItemContextRoute, listItemsRoute, reassignItemsRoute, searchReviewersRoute } from './items.ts';
import {
  changeCampaignRoute,
  createCampaignRoute,
  deleteCampaignRoute,
  getCampaignRoute,
  listCampaignsRoute,
  previewCampaignRoute,
  startCycleRoute,
} from './reviews.ts';
import type { ReviewTools } from './schemas.ts';

/** Access reviews (protocol 14). */
export function reviewRoutes(http: Http, tools: ReviewTools) {
  listCampaignsRoute(http, tools);
  createCampaignRoute(http, tools);
  getCampaignRoute(http, tools);
  changeCampaignRoute(http, tools);
  deleteCampaignRoute(http, tools);
  startCycleRoute(http, tools);
  listCampaignCyclesRoute(http, tools);
  listCyclesRoute(http, tools);
  getCycleRoute(http, tools);
  listItemsRoute(http, tools);
  getItemContextRoute(http, tools);
  planCycleRoute(http, tools);
  listReviewersRoute(http, tools);
  remindReviewerRoute(http, tools);
  previewCampaignRoute(http, tools);
  decideItemsRoute(http, tools);
  reassignItemsRoute(http, tools);
  searchReviewersRoute(http, tools);
  exportEvidenceRoute(http, tools);
}
