import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes } from '#kit/http.ts';
import { sampleRoutes } from './routes/sample.ts';

export const sample = (tools: Tools): Feature => ({
  routes: (http) => addRoutes(http, tools, sampleRoutes(tools)),
});
