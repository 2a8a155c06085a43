import type { Http } from '../../platform/http/server.ts';
import { User } from '../schema.ts';
import { listResponse, readQuery, search } from '../search.ts';
import { callOf, config, describe, type ScimTools, send } from './tools.ts';

export function searchUsersRoute(http: Http, tools: ScimTools) {
  http.post(
    '/scim/v2/Users/.search',
    { config, schema: describe('Search users', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.body);
      return send(reply, listResponse(await search(User, callOf(tools, request), query), query.startIndex));
    },
  );
}
