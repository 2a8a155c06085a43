import type { Http } from '../../platform/http/server.ts';
import { User } from '../schema.ts';
import { replaceUser } from '../users/change.ts';
import { callOf, config, describe, idOf, type ScimTools, sendResource } from './tools.ts';

export function replaceUserRoute(http: Http, tools: ScimTools) {
  http.put(
    '/scim/v2/Users/:id',
    { config, schema: describe('Replace user', { status: 200, hasId: true }) },
    async (request, reply) => {
      const resource = await replaceUser(callOf(tools, request), idOf(request), request.body);
      return sendResource(request, reply, User, resource);
    },
  );
}
