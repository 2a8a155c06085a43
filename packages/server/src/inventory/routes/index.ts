import type { Http, RouteTools } from '../../platform/http/server.ts';
import { accessByDepartmentRoute } from './access-by-department.ts';
import { dismissSuggestionRoute } from './dismiss-suggestion.ts';
import { getAccountRoute } from './get-account.ts';
import { licenseTrendRoute } from './license-trend.ts';
import { linkAccountRoute } from './link-account.ts';
import { linkAccountsRoute } from './link-accounts.ts';
import { listAccessOfPersonRoute } from './list-access-of-person.ts';
import { listAccountsRoute } from './list-accounts.ts';
import { listLeaversRoute } from './list-leavers.ts';
import { listMembersRoute } from './list-members.ts';
import { listResourcesRoute } from './list-resources.ts';
import { listUnlinkedAccountsRoute } from './list-unlinked-accounts.ts';
import { restoreSuggestionRoute } from './restore-suggestion.ts';

export function accountRoutes(http: Http, tools: RouteTools) {
  listAccountsRoute(http, tools);
  getAccountRoute(http, tools);
  linkAccountRoute(http, tools);
  listUnlinkedAccountsRoute(http, tools);
  linkAccountsRoute(http, tools);
  dismissSuggestionRoute(http, tools);
  restoreSuggestionRoute(http, tools);
  listLeaversRoute(http, tools);
  accessByDepartmentRoute(http);
  listAccessOfPersonRoute(http, tools);
}

export function resourceRoutes(http: Http, tools: RouteTools) {
  listResourcesRoute(http, tools);
  listMembersRoute(http, tools);
  licenseTrendRoute(http, tools);
}
