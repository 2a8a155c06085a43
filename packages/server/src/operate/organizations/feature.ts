import type { Feature, Tools } from '#kit/feature.ts';
import { defineOrganizationJobs } from './delete.ts';

export const organizations = ({ db, jobs, logger }: Tools): Feature => ({
  jobs: () => defineOrganizationJobs(db, jobs, logger),
});
