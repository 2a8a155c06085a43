import type { Feature, Tools } from '#kit/feature.ts';
import { defineRequestJobs } from './close.ts';
import { ticketRoutes } from './routes/index.ts';

/** `expiryDays`: days after which an undecided request expires. */
export const requests = (tools: Tools, expiryDays: number): Feature => ({
  routes: (http) => ticketRoutes(http, { ...tools, expiryDays }),
  jobs: () => defineRequestJobs({ db: tools.db, expiryDays }, tools.jobs, tools.logger),
});
