import type { Feature, Tools } from '../../kit/feature.ts';
import { defineNotificationJobs } from './cleanup.ts';
import { notificationRoutes } from './routes/index.ts';
import { notificationLoops, type WorkerTools } from './worker.ts';

type Options = Omit<WorkerTools, keyof Tools>;

export const notifications = (tools: Tools, options: Options): Feature => ({
  routes: (http) => notificationRoutes(http, { ...tools, ...options }),
  jobs: () => defineNotificationJobs(tools.db, tools.jobs),
  loops: notificationLoops({ ...tools, ...options }),
});
