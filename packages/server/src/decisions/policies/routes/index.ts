import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { Jobs } from '../../../kit/jobs/jobs.ts';
import {
  changePolicyRoute,
  checkConditionRoute,
  confirmFiringRoute,
  createPolicyRoute,
  deletePolicyRoute,
  discardFiringRoute,
  getPolicyRoute,
  listPoliciesRoute,
  matchPeopleRoute,
} from './policies.ts';
import { listPreviewRoutes, previewPolicyRoute } from './previews.ts';
import { changeSettingsRoute, getSettingsRoute } from './settings.ts';

/** Policies (protocol 15). */
export function policyRoutes(http: Http, tools: RouteTools & { jobs: Jobs }) {
  listPoliciesRoute(http, tools);
  createPolicyRoute(http, tools);
  checkConditionRoute(http);
  matchPeopleRoute(http, tools);
  getSettingsRoute(http, tools);
  changeSettingsRoute(http, tools);
  getPolicyRoute(http, tools);
  changePolicyRoute(http, tools);
  deletePolicyRoute(http, tools);
  previewPolicyRoute(http, tools);
  listPreviewRoutes(http, tools);
  confirmFiringRoute(http, tools);
  discardFiringRoute(http, tools);
}
