import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { getTask } from '../list.ts';
import { cancelManually } from '../manual.ts';
import { TaskItem, TaskParams, taskItem, withTask } from './schemas.ts';

const Cancellation = Type.Optional(
  Nullable(Type.Object({ reason: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))) })),
);

/** Protocol 12. */
export function cancelTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/tasks/:task_id/cancel/',
    {
      config: { access: { scope: 'govern', roles: ['owner', 'admin'], apps: 'listed' } },
      onRequest: withTask(tools),
      schema: {
        tags: ['Tasks'],
        summary: 'Cancel a task',
        params: TaskParams,
        body: Cancellation,
        response: { 200: TaskItem },
      },
    },
    async (request) => {
      const { orgId } = request.principal;
      const { task_id } = request.params;
      await cancelManually(tools.db, orgId, task_id, request.body?.reason ?? null, causeOf(request));
      return taskItem(await getTask(tools.db, orgId, task_id));
    },
  );
}
