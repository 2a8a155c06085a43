import type { Http, RouteTools } from '../../../kit/http/server.ts';
import { IfMatchHeader, ifMatchOf, withVersion } from '../../../kit/http/versions.ts';
import { callOf } from '../../../kit/identity/call.ts';
import { setTaskLimit, taskLimit, taskLimitVersion } from '../policies.ts';
import { allApps, managing, reading, Settings, tags } from './schemas.ts';

export function getSettingsRoute(http: Http, { db }: RouteTools) {
  http.get(
    '/api/policies/settings/',
    {
      config: reading,
      onRequest: allApps,
      schema: { tags, summary: 'Get the task limit', response: { 200: withVersion(Settings) } },
    },
    async (request, reply) => {
      const task_limit = await taskLimit(callOf(db, request));
      reply.header('ETag', taskLimitVersion(task_limit));
      return { task_limit };
    },
  );
}

export function changeSettingsRoute(http: Http, { db }: RouteTools) {
  http.patch(
    '/api/policies/settings/',
    {
      config: managing,
      onRequest: allApps,
      schema: {
        tags,
        summary: 'Change the task limit',
        headers: IfMatchHeader,
        body: Settings,
        response: { 200: withVersion(Settings) },
      },
    },
    async (request, reply) => {
      const { body } = request;
      await setTaskLimit(callOf(db, request), body.task_limit, ifMatchOf(request));
      reply.header('ETag', taskLimitVersion(body.task_limit));
      return { task_limit: body.task_limit };
    },
  );
}
