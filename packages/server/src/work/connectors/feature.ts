import type { Feature, Tools } from '../../kit/feature.ts';
import { connectorRoutes } from './routes/index.ts';
import { defineConnectorJobs } from './worker.ts';

/** The settings and runs of connectors. `app.ts` starts the loop that runs them, since not every process does. */
export const connectors = (tools: Tools): Feature => ({
  routes: (http) => connectorRoutes(http, tools),
  jobs: () => defineConnectorJobs(tools.db, tools.jobs),
});
