import type { Database } from '#kit/database.ts';
import { route } from '#kit/http.ts';
import { getOverview } from '../overview.ts';
import { Overview } from '../overview-schema.ts';

export const getOverviewRoute = (database: Pick<Database, 'prepared'>) =>
  route(
    'GET',
    '/api/overview/',
    {
      tag: 'Organization',
      config: { access: { scope: 'govern', roles: ['owner', 'admin', 'auditor'] } },
      summary: 'Get overview',
      description: 'The state of apps, accounts, tasks, licenses, reviews and tickets at a glance.',
      reply: Overview,
    },
    ({ call }) => getOverview(database, call),
  );
