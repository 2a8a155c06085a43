import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { offboardRoute } from './routes/offboard.ts';

export const offboarding = (tools: Tools): Feature => ({
  routes: (http) => addRoutes(http, tools, [offboardRoute]),
});
