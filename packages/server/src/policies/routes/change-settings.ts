import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { setTaskLimit } from '../policies.ts';
import { allApps, managing, Settings, tags } from './schemas.ts';

export function changeSettingsRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/policies/settings/',
    {
      config: managing,
      onRequest: allApps,
      schema: { tags, summary: 'Change the task limit', body: Settings, response: { 200: Settings } },
    },
    async (request) => {
      const { principal, body } = request;
      await setTaskLimit(db, principal, body.task_limit, causeOf(request));
      return { task_limit: body.task_limit };
    },
  );
}
