import type { Http } from '../../platform/http/server.ts';
import { User } from '../schema.ts';
import { getUser } from '../users/get.ts';
import { callOf, config, describe, idOf, type ScimTools, sendResource } from './tools.ts';

export function getUserRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/Users/:id',
    { config, schema: describe('Get user', { status: 200, hasId: true }) },
    async (request, reply) => {
      return sendResource(request, reply, User, await getUser(callOf(tools, request), idOf(request)));
    },
  );
}
