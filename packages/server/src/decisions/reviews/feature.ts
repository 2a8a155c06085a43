import type { Feature, Tools } from '#kit/feature.ts';
import { addRoutes, type Http } from '#kit/http.ts';
import type { ReviewTools } from './cycles/routes/resources.ts';
import { cycleRoutes } from './deciding/routes/cycles.ts';
import { itemRoutes } from './deciding/routes/items.ts';
import { defineReviewJobs } from './jobs.ts';
import { campaignRoutes } from './opening/routes/reviews.ts';

export const reviews = (tools: Tools): Feature => ({
  routes: (http) => reviewRoutes(http, tools),
  jobs: () => defineReviewJobs(tools.db, tools.jobs, tools.logger),
});

/** Access reviews (protocol 14). */
const reviewRoutes = (http: Http, tools: ReviewTools) =>
  addRoutes(http, tools, [...campaignRoutes(tools), ...cycleRoutes, ...itemRoutes]);
