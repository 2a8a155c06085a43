import type { Feature, Tools } from '#kit/feature.ts';
import { definePreviewJobs } from './preview.ts';
import { policyRoutes } from './routes/index.ts';
import { policyLoop } from './worker.ts';

export const policies = (tools: Tools): Feature => ({
  routes: (http) => policyRoutes(http, tools),
  jobs: () => definePreviewJobs(tools.db, tools.jobs),
  loops: [policyLoop(tools.db, tools.logger)],
});
