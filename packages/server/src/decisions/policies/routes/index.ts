import { addRoutes, type Http, type RouteTools } from '#kit/http.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { policyRoutes as routes } from './policies.ts';
import { planRoutes } from './previews.ts';

/** Policies (protocol 15). */
export const policyRoutes = (http: Http, tools: RouteTools & { jobs: Jobs }) =>
  addRoutes(http, tools, [...routes, ...planRoutes(tools.jobs)]);
