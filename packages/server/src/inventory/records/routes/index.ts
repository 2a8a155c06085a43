import type { Http, RouteTools } from '../../../kit/http/server.ts';
import type { ReadRemovals } from '../leavers.ts';
import {
  changeSuggestionRoutes,
  correlateAccountRoute,
  getAccountRoute,
  linkAccountRoute,
  linkAccountsRoute,
  listAccountsRoute,
  listUnlinkedAccountsRoute,
} from './accounts.ts';
import { leaverRoute } from './leavers.ts';
import { licenseTrendRoute } from './license-trend.ts';
import { listMembersRoute, listResourcesRoute } from './resources.ts';
import { accessByDepartmentRoute, listAccessOfPersonRoute } from './users.ts';

export function accountRoutes(http: Http, tools: RouteTools & { readRemovals: ReadRemovals }) {
  listAccountsRoute(http, tools);
  getAccountRoute(http, tools);
  linkAccountRoute(http, tools);
  correlateAccountRoute(http, tools);
  listUnlinkedAccountsRoute(http, tools);
  linkAccountsRoute(http, tools);
  changeSuggestionRoutes(http, tools);
  leaverRoute(tools.readRemovals).add(http, tools);
  accessByDepartmentRoute(http);
  listAccessOfPersonRoute(http, tools);
}

export function resourceRoutes(http: Http, tools: RouteTools) {
  listResourcesRoute(http, tools);
  listMembersRoute(http, tools);
  licenseTrendRoute.add(http, tools);
}
