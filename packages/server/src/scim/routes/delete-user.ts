import type { Http } from '../../platform/http/server.ts';
import { deleteUser } from '../users/delete.ts';
import { callOf, config, describe, idOf, type ScimTools } from './tools.ts';

export function deleteUserRoute(http: Http, tools: ScimTools) {
  http.delete(
    '/scim/v2/Users/:id',
    { config, schema: describe('Delete user', { status: 204, hasId: true }) },
    async (request, reply) => {
      await deleteUser(callOf(tools, request), idOf(request));
      return reply.code(204).send();
    },
  );
}
