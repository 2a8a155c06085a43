import type { Http, RouteTools } from '../../platform/http/server.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { changePolicyRoute } from './change-policy.ts';
import { changeSettingsRoute } from './change-settings.ts';
import { checkConditionRoute } from './check-condition.ts';
import { confirmFiringRoute } from './confirm-firing.ts';
import { createPolicyRoute } from './create-policy.ts';
import { deletePolicyRoute } from './delete-policy.ts';
import { discardFiringRoute } from './discard-firing.ts';
import { getPolicyRoute } from './get-policy.ts';
import { getSettingsRoute } from './get-settings.ts';
import { listPoliciesRoute } from './list-policies.ts';
import { listPreviewRoutes } from './list-preview.ts';
import { matchPeopleRoute } from './match-people.ts';
import { previewPolicyRoute } from './preview-policy.ts';

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
