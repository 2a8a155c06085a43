import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { restoreAccessRoute } from './routes/restore-access.ts';

export const restore = (tools: Tools): Feature => ({
  routes: (http) => addRoutes(http, tools, [restoreAccessRoute]),
});
