import type { Feature, Tools } from '#kit/feature.ts';
import { defineFulfillmentJobs } from './attachments.ts';
import { fulfillmentRoutes } from './routes/index.ts';
import { fulfillmentLoop } from './worker.ts';

export const fulfillment = (tools: Tools): Feature => ({
  routes: (http) => fulfillmentRoutes(http, tools),
  jobs: () => defineFulfillmentJobs(tools.db, tools.jobs),
  loops: [fulfillmentLoop(tools.db, tools.logger)],
});
