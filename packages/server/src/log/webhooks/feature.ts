import type { Feature, Tools } from '#kit/feature.ts';
import { observeWebhooks } from './metrics.ts';
import { webhookRoutes } from './routes/index.ts';
import { defineWebhookJobs, webhookFailureLoop, webhookLoop } from './worker.ts';

export const webhooks = (tools: Tools): Feature => ({
  routes: (http) => webhookRoutes(http, tools),
  jobs: () => defineWebhookJobs(tools.db, tools.jobs),
  metrics: (registry) => observeWebhooks(registry, tools.database),
  loops: [webhookLoop(tools, tools.logger), webhookFailureLoop(tools.db, tools.logger)],
});
