import type { Feature, Tools } from '../feature.ts';
import { analyze } from './analyze.ts';

/** The statistics of an embedded database. */
export const statistics = ({ database, db, jobs }: Tools): Feature => ({
  jobs: () => {
    if (database.engine !== 'pglite') return;
    jobs.define({
      name: 'platform.analyze',
      attempts: 1,
      cron: '*/10 * * * *',
      work: () => analyze(db),
    });
  },
});
