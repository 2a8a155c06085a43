import { Type } from 'typebox';
import { causeOf } from '../../identity/cause.ts';
import { Nullable } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { completeAsPerson } from '../report.ts';
import { DetailsItem, personal, readDetails, TaskParams, tags, visible } from './schemas.ts';

export function completeTaskRoute(http: Http, tools: RouteTools) {
  http.post(
    '/api/fulfilment/tasks/:task_id/complete/',
    {
      config: personal,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'Mark a task as done',
        description:
          "Only the task's assignee can. Has the effects and events of a connector's report. Repeating the same report returns the same task.",
        params: TaskParams,
        body: Type.Object({
          account_id: Type.Optional(
            Nullable(
              Type.String({
                minLength: 1,
                maxLength: 512,
                description:
                  'Required for create_account: the id, username or email of the account in the app.',
              }),
            ),
          ),
          note: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
        }),
        response: { 200: DetailsItem },
      },
    },
    async (request) => {
      const { account_id: accountId = null, note = null } = request.body;
      const { principal, params } = request;
      await completeAsPerson(tools.db, principal, params.task_id, { accountId, note }, causeOf(request));
      return readDetails(tools.db, request);
    },
  );
}
