import type { Http } from '../../platform/http/server.ts';
import { User } from '../schema.ts';
import { patchUser } from '../users/change.ts';
import { callOf, config, describe, idOf, type ScimTools, sendResource } from './tools.ts';

export function patchUserRoute(http: Http, tools: ScimTools) {
  http.patch(
    '/scim/v2/Users/:id',
    { config, schema: describe('Change user', { status: 200, hasId: true }) },
    async (request, reply) => {
      const resource = await patchUser(callOf(tools, request), idOf(request), request.body);
      return sendResource(request, reply, User, resource);
    },
  );
}
