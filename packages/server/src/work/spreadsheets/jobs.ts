import { type Database, within } from '#kit/database.ts';
import type { Jobs } from '#kit/jobs/jobs.ts';
import { deleteOldUploads } from './apply.ts';
import { CHECK_JOB, checkUpload } from './check.ts';

const CHECK_ATTEMPTS = 3;

export function defineSpreadsheetJobs(database: Database, jobs: Jobs) {
  jobs.define<{ orgId: string; uploadId: string }>({
    name: CHECK_JOB,
    attempts: CHECK_ATTEMPTS,
    work: ({ orgId, uploadId }, attempt) =>
      checkUpload(database, within(database.db, orgId), uploadId, attempt),
  });
  jobs.define({
    name: 'spreadsheets.housekeeping',
    attempts: 1,
    cron: '*/10 * * * *',
    work: () => deleteOldUploads(database.db),
  });
}
