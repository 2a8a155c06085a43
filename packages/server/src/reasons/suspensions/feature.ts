import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { suspensionRoutes } from './routes/suspensions.ts';

export const suspensions = (tools: Tools): Feature => ({
  routes: (http) => addRoutes(http, tools, suspensionRoutes),
});
