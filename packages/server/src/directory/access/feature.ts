import type { Feature, Tools } from '#kit/feature.ts';
import { deleteIdleRecords } from './limits.ts';
import { accessRoutes } from './routes/index.ts';

/** The access of callers: organizations, API keys, limits. */
export const access = (tools: Tools): Feature => ({
  routes: (http) => accessRoutes(http, tools),
  jobs: () =>
    tools.jobs.define({
      name: 'access.forget-idle',
      attempts: 1,
      cron: '*/10 * * * *',
      work: () => deleteIdleRecords(tools.db),
    }),
});
