import type { Http, RouteTools } from '../../platform/http/server.ts';
import { changeOrganizationRoute } from './change-organization.ts';
import { createApiKeyRoute } from './create-api-key.ts';
import { getMeRoute } from './get-me.ts';
import { getOrganizationRoute } from './get-organization.ts';
import { listApiKeysRoute } from './list-api-keys.ts';
import { revokeApiKeyRoute } from './revoke-api-key.ts';

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
}
