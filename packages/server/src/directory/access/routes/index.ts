import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { createApiKeyRoute, listApiKeysRoute, revokeApiKeyRoute, transferApiKeyRoute } from './api-keys.ts';
import { getMeRoute } from './get-me.ts';
import { changeOrganizationRoute, getOrganizationRoute } from './organization.ts';

/** The caller and their organization. */
export function meRoutes(http: Http, tools: RouteTools) {
  getMeRoute(http, tools);
  getOrganizationRoute(http, tools);
  changeOrganizationRoute(http, tools);
}

/** API keys. */
export function keyRoutes(http: Http, tools: RouteTools) {
  listApiKeysRoute(http, tools);
  createApiKeyRoute(http, tools);
  revokeApiKeyRoute(http, tools);
  transferApiKeyRoute(http, tools);
}
