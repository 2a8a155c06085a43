import { Type } from 'typebox';
import { Uuid } from '../../platform/http/schemas.ts';
import type { Http, RouteTools } from '../../platform/http/server.ts';
import { candidatesFor } from '../reassign.ts';
import { personalForAllApps, TaskParams, tags, visible } from './schemas.ts';

export function listCandidatesRoute(http: Http, tools: RouteTools) {
  http.get(
    '/api/fulfilment/tasks/:task_id/candidates/',
    {
      config: personalForAllApps,
      onRequest: visible(tools),
      schema: {
        tags,
        summary: 'List the people who can take over a task',
        description: 'The present fulfillers of the app, its owner and administrators.',
        params: TaskParams,
        response: {
          200: Type.Object({
            results: Type.Array(
              Type.Object({
                external_uuid: Uuid,
                email: Type.String(),
                first_name: Type.String(),
                last_name: Type.String(),
              }),
            ),
          }),
        },
      },
    },
    async ({ principal, params }) => {
      const found = await candidatesFor(tools.db, principal.orgId, params.task_id);
      return { results: found.map(({ id, ...person }) => ({ ...person, external_uuid: id })) };
    },
  );
}
