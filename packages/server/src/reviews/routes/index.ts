import type { Http } from '../../platform/http/server.ts';
import { changeCampaignRoute } from './change-campaign.ts';
import { createCampaignRoute } from './create-campaign.ts';
import { decideItemsRoute } from './decide-items.ts';
import { deleteCampaignRoute } from './delete-campaign.ts';
import { exportEvidenceRoute } from './export-evidence.ts';
import { getCampaignRoute } from './get-campaign.ts';
import { getCycleRoute } from './get-cycle.ts';
import { getItemContextRoute } from './get-item-context.ts';
import { listCampaignCyclesRoute } from './list-campaign-cycles.ts';
import { listCampaignsRoute } from './list-campaigns.ts';
import { listCyclesRoute } from './list-cycles.ts';
import { listItemsRoute } from './list-items.ts';
import { listReviewersRoute } from './list-reviewers.ts';
import { planCycleRoute } from './plan-cycle.ts';
import { previewCampaignRoute } from './preview-campaign.ts';
import { reassignItemsRoute } from './reassign-items.ts';
import { remindReviewerRoute } from './remind-reviewer.ts';
import type { ReviewTools } from './schemas.ts';
import { searchReviewersRoute } from './search-reviewers.ts';
import { startCycleRoute } from './start-cycle.ts';

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
