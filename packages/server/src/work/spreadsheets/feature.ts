import type { Feature, Tools } from '#kit/feature.ts';
import { defineSpreadsheetJobs } from './jobs.ts';
import { spreadsheetRoutes } from './routes/index.ts';

export const spreadsheets = (tools: Tools): Feature => ({
  routes: (http) => spreadsheetRoutes(http, tools),
  jobs: () => defineSpreadsheetJobs(tools.database, tools.jobs),
});
