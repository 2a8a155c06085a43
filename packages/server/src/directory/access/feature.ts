import type { Feature, Tools } from '../../kit/feature.ts';
import { deleteIdleRecords } from './limits.ts';
import { accessRoutes } from './routes/index.ts';
import { WINDOW_SECONDS } from './sign-in/attempts.ts';
import { expireSessions } from './sign-in/expiry.ts';
import { signInRoutes } from './sign-in/routes/index.ts';
import type { SignInOptions } from './sign-in/routes/tools.ts';

/** The access of callers: organizations, API keys, limits, sign-in. */
export const access = (tools: Tools, options: Pick<SignInOptions, 'idleHours' | 'canEmail'>): Feature => ({
  routes: async (http) => {
    await signInRoutes(http, { ...tools, ...options });
    accessRoutes(http, tools);
  },
  jobs: () => {
    const { db, jobs } = tools;
    jobs.define({
      name: 'access.forget-idle',
      attempts: 1,
      cron: '*/10 * * * *',
      work: () => deleteIdleRecords(db),
    });
    jobs.define({
      name: 'access.expire-sessions',
      attempts: 1,
      cron: '* * * * *',
      work: () => expireSessions(db, WINDOW_SECONDS),
    });
  },
});
