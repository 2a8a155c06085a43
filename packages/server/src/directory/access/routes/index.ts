import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import { keyRoutes } from './api-keys.ts';
import { meRoutes } from './get-me.ts';
import { organizationRoutes } from './organization.ts';

/** The caller, their organization, and API keys. */
export const accessRoutes = (http: Http, tools: RouteTools) =>
  addRoutes(http, tools, [...meRoutes, ...organizationRoutes, ...keyRoutes]);
