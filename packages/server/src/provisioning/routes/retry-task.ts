import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getTask } from '../list.ts';
import { retryManually } from '../retry.ts';
import { TaskItem, TaskParams, taskItem, withTask } from './schemas.ts';

/** Protocol 12. */
export function retryTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/tasks/:task_id/retry/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: withTask(tools),
      schema: {
        tags: ['Tasks'],
        summary: 'Retry a failed task',
        description: 'Creates a new task. A task can be retried once; if the new task fails, retry that one.',
        params: TaskParams,
        response: { 201: TaskItem },
      },
    },
    async (request, reply) => {
      const { orgId } = request.principal;
      const id = await retryManually(tools.db, orgId, request.params.task_id, causeOf(request));
      reply.code(201);
      return taskItem(await getTask(tools.db, orgId, id));
    },
  );
}
