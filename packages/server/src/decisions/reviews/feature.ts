import type { Feature, Tools } from '#kit/feature.ts';
import { defineReviewJobs } from './jobs.ts';
import { reviewRoutes } from './routes.ts';

type Options = Omit<Parameters<typeof reviewRoutes>[1], keyof Tools>;

export const reviews = (tools: Tools, options: Options): Feature => ({
  routes: (http) => reviewRoutes(http, { ...tools, ...options }),
  jobs: () => defineReviewJobs(tools.db, tools.jobs, tools.logger),
});
