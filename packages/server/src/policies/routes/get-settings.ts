import type { Http, RouteTools } from '../../platform/http/server.ts';
import { taskLimit } from '../policies.ts';
import { allApps, reading, Settings, tags } from './schemas.ts';

export function getSettingsRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/policies/settings/',
    {
      config: reading,
      onRequest: allApps,
      schema: { tags, summary: 'Get the task limit', response: { 200: Settings } },
    },
    async ({ principal }) => ({ task_limit: await taskLimit(db, principal) }),
  );
}
