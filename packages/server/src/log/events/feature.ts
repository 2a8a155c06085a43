import type { Feature, Tools } from '../../kit/feature.ts';
import { unauthenticated } from '../../kit/identity/principal.ts';
import { defineEventJobs, openEventLog, prepareEventLog } from './log.ts';
import { eventRoutes } from './routes/index.ts';

export const events = ({ database, db, jobs, secrets, logger }: Tools): Feature => ({
  prepare: () => prepareEventLog(db, logger),
  routes: (http) => eventRoutes(http, openEventLog(database, secrets, unauthenticated)),
  jobs: () => defineEventJobs(db, jobs),
});
