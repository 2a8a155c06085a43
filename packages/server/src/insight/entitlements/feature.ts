import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { entitlementRoutes } from './routes/entitlements.ts';

export const entitlements = (tools: Tools): Feature => ({
  routes: (http) => addRoutes(http, tools, entitlementRoutes),
});
