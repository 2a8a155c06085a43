import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { reassignTask } from '../reassign.ts';
import { personal, TaskParams, tags, visible } from './schemas.ts';

export function reassignTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/fulfilment/tasks/:task_id/reassign/',
    {
      config: personal,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Hand a task to another person',
        params: TaskParams,
        body: Type.Object({ assignee: Uuid, reason: Type.String({ minLength: 1, maxLength: 2000 }) }),
        // A member who handed a task over can no longer see it.
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request;
      await reassignTask(tools.db, principal, params.task_id, body, causeOf(request));
      reply.code(204);
      return null;
    },
  );
}
