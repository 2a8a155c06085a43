import type { Http } from '../../platform/http/server.ts';
import { replaceGroup } from '../groups.ts';
import { includes } from '../project.ts';
import { Group } from '../schema.ts';
import { readProjection } from '../search.ts';
import { callOf, config, describe, idOf, type ScimTools, sendResource } from './tools.ts';

export function replaceGroupRoute(http: Http, tools: ScimTools) {
  http.put(
    '/scim/v2/Groups/:id',
    { config, schema: describe('Replace group', { status: 200, hasId: true }) },
    async (request, reply) => {
      const withMembers = includes(Group, 'members', readProjection(request.query));
      const resource = await replaceGroup(callOf(tools, request), idOf(request), request.body, withMembers);
      return sendResource(request, reply, Group, resource);
    },
  );
}
