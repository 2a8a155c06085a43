import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getTask } from '../list.ts';
import { TaskItem, TaskParams, taskItem, withTask } from './schemas.ts';

export function getTaskRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/tasks/:task_id/',
    {
      config: { access: { scope: 'read', apps: 'listed' } },
      onRequest: withTask(tools),
      schema: { tags: ['Tasks'], summary: 'Get task', params: TaskParams, response: { 200: TaskItem } },
    },
    async ({ principal, params }) => taskItem(await getTask(tools.db, principal.orgId, params.task_id)),
  );
}
