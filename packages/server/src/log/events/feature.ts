import type { Feature, Tools } from '#kit/feature.ts';
import { unauthenticated } from '#kit/identity.ts';
import { defineEventJobs, openEventLog, prepareEventLog } from './log.ts';
import { eventRoutes } from './routes/index.ts';

export const events = (tools: Tools): Feature => {
  const { database, db, jobs, secrets, logger } = tools;
  return {
    prepare: () => prepareEventLog(db, logger),
    routes: (http) => eventRoutes(http, tools, openEventLog(database, secrets, unauthenticated)),
    jobs: () => defineEventJobs(db, jobs),
  };
};
