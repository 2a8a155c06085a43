import type { Http } from '../../platform/http/server.ts';
import { deleteGroup } from '../groups.ts';
import { callOf, config, describe, idOf, type ScimTools } from './tools.ts';

export function deleteGroupRoute(http: Http, tools: ScimTools) {
  http.delete(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Delete group', { status: 204, hasId: true }) },
    async (request, reply) => {
      await deleteGroup(callOf(tools, request), idOf(request));
      return reply.code(204).send();
    },
  );
}
