import type { Http } from '../../platform/http/server.ts';
import { listResponse, readQuery, searchAll } from '../search.ts';
import { callOf, config, describe, type ScimTools, send } from './tools.ts';

export function searchRoute(http: Http, tools: ScimTools) {
  http.post(
    '/scim/v2/.search',
    { config, schema: describe('Search users and groups', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.body);
      return send(reply, listResponse(await searchAll(callOf(tools, request), query), query.startIndex));
    },
  );
}
