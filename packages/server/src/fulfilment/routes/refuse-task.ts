import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { REFUSAL_CODES, refuseAsPerson } from '../report.ts';
import { DetailsItem, personal, readDetails, TaskParams, tags, visible } from './schemas.ts';

export function refuseTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/fulfilment/tasks/:task_id/refuse/',
    {
      config: personal,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Refuse a task',
        description: "Only the task's assignee can. The task fails, and is not retried automatically.",
        params: TaskParams,
        body: Type.Object({
          code: Type.Enum([...REFUSAL_CODES]),
          message: Type.String({ minLength: 1, maxLength: 2000, description: 'Shown to administrators.' }),
        }),
        response: { 200: DetailsItem },
      },
    },
    async (request) => {
      const { principal, params, body } = request;
      await refuseAsPerson(tools.db, principal, params.task_id, body, causeOf(request));
      return readDetails(tools.db, request);
    },
  );
}
