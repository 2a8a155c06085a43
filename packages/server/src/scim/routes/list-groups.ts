import type { Http } from '../../platform/http/server.ts';
import { Group } from '../schema.ts';
import { listResponse, readQuery, search } from '../search.ts';
import { callOf, config, describe, type ScimTools, send } from './tools.ts';

export function listGroupsRoute(http: Http, tools: ScimTools) {
  http.get(
    '/scim/v2/Groups',
    { config, schema: describe('List groups', { status: 200, hasId: false }) },
    async (request, reply) => {
      const query = readQuery(request.query);
      return send(reply, listResponse(await search(Group, callOf(tools, request), query), query.startIndex));
    },
  );
}
