import type { Feature, Tools } from '#kit/feature.ts';
import type { SignInOptions } from './auth/routes/tools.ts';
import { expireSessions } from './expiry.ts';
import { signInRoutes } from './routes.ts';
import { WINDOW_SECONDS } from './visit/attempts.ts';

/** How people sign in: passwords, second factors, passkeys, providers, and their sessions. */
export const signIn = (tools: Tools, options: Pick<SignInOptions, 'idleHours' | 'canEmail'>): Feature => ({
  routes: (http) => signInRoutes(http, { ...tools, ...options }),
  jobs: () =>
    tools.jobs.define({
      name: 'access.expire-sessions',
      attempts: 1,
      cron: '* * * * *',
      work: () => expireSessions(tools.db, WINDOW_SECONDS),
    }),
});
